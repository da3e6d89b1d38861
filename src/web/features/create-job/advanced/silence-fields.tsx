import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useController } from "react-hook-form";
import type { SilencesResponse } from "#contract/calls.ts";
import { JOB_SETTINGS } from "#contract/job-settings/job-settings.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import { measureSilences } from "../../../api/functions/library.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { SwitchRow } from "../../../ui/fields/switch-row.tsx";
import { useSettled } from "../../../ui/use-settled.ts";
import type { FormValues } from "../draft/job-form.ts";
import { useAcceptedSources } from "../../../sources/use-accepted-sources.ts";
import { SettingField } from "../setting-field.tsx";
import { fieldOf, readFields } from "../setting-fields.ts";

const { label } = JOB_SETTINGS.cut_silences_ms;
const OFF = String(JOB_SETTINGS.cut_silences_ms.default);
/** Between the pauses within sentences and those between them. */
const USUAL_MS = "500";
const POLL_MS = 2_000;
/** The server keeps results as long. */
const FRESH_MS = 10 * 60_000;

const NOTE = "tnum text-12 text-ink-3";
const SETTINGS = ["start_seconds", "end_seconds", "cut_silences_ms", "silence_padding_ms"] as const;

export function SilenceFields({ form, values, read }: FormValues) {
  const { value, onChange } = useController({ control: form.control, name: fieldOf("cut_silences_ms") }).field;
  const isOn = value !== OFF;
  return (
    <>
      <div className="grid gap-3">
        <SwitchRow
          label={label}
          text={!isOn && "Pauses in speech are kept."}
          checked={isOn}
          onChange={() => onChange(isOn ? OFF : USUAL_MS)}
        />
        {isOn && (
          <>
            <div className="grid max-w-96 grid-cols-2 items-start gap-x-4">
              <SettingField form={form} name="cut_silences_ms" label="Silences longer than" hint="Milliseconds" />
              <SettingField form={form} name="silence_padding_ms" hint="Milliseconds" />
            </div>
            <FirstVideo values={values} read={read} />
          </>
        )}
      </div>
      <FillerField form={form} />
    </>
  );
}

function FillerField({ form }: Pick<FormValues, "form">) {
  const { value: isOn, onChange } = useController({ control: form.control, name: fieldOf("cut_fillers") }).field;
  const { canTranscribe } = useAcceptedSources();
  const text = isOn ? "Words such as “um” are cut where the transcript has them." : "Words such as “um” are kept.";
  return (
    <SwitchRow
      label={JOB_SETTINGS.cut_fillers.label}
      text={isOn && !canTranscribe ? "Needs transcription. Set it up in Settings." : text}
      checked={isOn}
      onChange={() => onChange(!isOn)}
    />
  );
}

/** Starts on request, because the server fetches and analyzes the video. */
function FirstVideo({ values, read }: Pick<FormValues, "values" | "read">) {
  const [isWanted, setIsWanted] = useState(false);
  const [clip] = read.slots[0]?.clips ?? [];
  const link = clip ? clip.link : read.videos.valid[0];
  const trim = clip && { start_seconds: clip.start_seconds ?? 0, end_seconds: clip.end_seconds ?? null };
  const own = { ...settingsOfVideo(readFields(values, SETTINGS), read.rows[0]?.settings ?? null), ...trim };
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, own[name]])) as typeof own;
  const request = useSettled({ input_video: link ?? "", ...settings });
  const { data, error, refetch } = useQuery({
    queryKey: ["silences", request],
    queryFn: ({ signal }) => measureSilences(request, signal),
    enabled: isWanted && request.input_video !== "",
    staleTime: FRESH_MS,
    refetchInterval: (query) => (query.state.data?.seconds === null ? POLL_MS : false),
    refetchOnWindowFocus: false,
    retry: false,
  });
  if (!link) return <p className={NOTE}>Add a video to see how much is cut.</p>;
  if (settings.cut_silences_ms === 0) return <p className={NOTE}>The first video has its own setting: off.</p>;
  if (!isWanted || error) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="sm" onClick={() => (isWanted ? void refetch() : setIsWanted(true))}>
          {error ? "Check again" : "Check the first video"}
        </Button>
        <span role={error ? "alert" : undefined} className={NOTE}>
          {error ? error.message : "Shows how much is cut."}
        </span>
      </div>
    );
  }
  return <output className={NOTE}>{describeCut(data)}</output>;
}

function describeCut({ seconds, cut_seconds: cut, has_speech: hasSpeech }: Partial<SilencesResponse> = {}): string {
  if (typeof seconds !== "number" || typeof cut !== "number") return "Checking the first video…";
  if (!hasSpeech) return "No speech was found in the first video, so nothing is cut from it.";
  if (cut === 0) return "The first video has no silences of this length.";
  return `${cut.toFixed(1)} of ${seconds.toFixed(1)} s are cut from the first video.`;
}
