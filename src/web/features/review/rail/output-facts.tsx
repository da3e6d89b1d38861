import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { ConformanceDetails } from "../../../jobs/conformance-details.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import { useSettled } from "../../../ui/use-settled.ts";
import { VerdictLabel } from "../verdicts/verdict-label.tsx";
import { createLoudnessMeter, METER_HZ } from "./loudness-meter.ts";

export function OutputFacts({ job, output }: { job: Job; output: JobOutput }) {
  const loudness = useLoudness(output);
  const { width, height, duration_seconds: seconds, size_bytes: bytes } = output;
  const facts = [
    width !== null && height !== null && `${width}×${height}`,
    seconds !== null && formatClipLength(seconds),
    bytes !== null && formatFileSize(bytes),
  ].filter((fact) => fact !== false);
  return (
    <section aria-label="Current file" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="raw text-13 font-medium wrap-anywhere">{output.name}</h2>
      <div className="mt-1">
        <VerdictLabel verdict={output.verdict} reason={output.reason} />
      </div>
      {output.caption !== null && (
        <p dir="auto" className="mt-3 max-h-24 overflow-auto wrap-anywhere whitespace-pre-line text-ink">
          {output.caption}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-12">
        <Fact name="File">{facts.join(", ")}</Fact>
        {output.track !== null && <Fact name="Music">{output.track}</Fact>}
        <Fact name="Loudness">{loudness}</Fact>
        {job.loudness_lufs !== null && <Fact name="Target">{formatDecibels(job.loudness_lufs)} LUFS</Fact>}
      </dl>
      {output.conformance && <ConformanceDetails key={output.id} report={output.conformance} name={output.name} />}
      {output.warnings.map(({ message }) => (
        <WarningNote key={message} text={message} />
      ))}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="tnum text-right wrap-anywhere text-ink">{children}</dd>
    </>
  );
}

/** Measures once the reviewer stays with the file for half a second. */
function useLoudness(output: JobOutput): string {
  const settledId = useSettled(output.id);
  const isShort = (output.duration_seconds ?? 0) <= MAX_MEASURED_SECONDS;
  const { data, error } = useQuery({
    queryKey: ["loudness", output.id, output.size_bytes],
    queryFn: ({ signal }) => measureLoudness(output.media_url!, signal),
    enabled: settledId === output.id && isShort && output.media_url !== null,
    staleTime: Infinity,
    retry: false,
  });
  if (!isShort) return "Too long to measure";
  if (error) return "Can't be measured in this browser";
  if (data === undefined) return "Measuring";
  if (data === null) return "No sound";
  const { integratedLufs, peakDb } = data;
  if (integratedLufs === null) return "Silent, or too short";
  return `${formatDecibels(integratedLufs)} LUFS, peak ${formatDecibels(peakDb)} dBFS`;
}

/** Uses a minus sign, because tabular figures widen the hyphen. */
function formatDecibels(value: number): string {
  return value.toFixed(1).replace("-", "−");
}

/** `integratedLufs` is null for silence; `peakDb` is the largest sample in dBFS. */
type MeasuredLoudness = { integratedLufs: number | null; peakDb: number };

/** Samples between pauses that keep the page responsive. */
const CHUNK_SAMPLES = METER_HZ * 4;
/** Decoded sound takes 23 MB per minute. */
const MAX_MEASURED_SECONDS = 300;

/**
 * Measures in the browser, so that files of any age and origin have a figure. Null without sound. Throws if the file
 * cannot be read or decoded.
 */
async function measureLoudness(url: string, signal: AbortSignal): Promise<MeasuredLoudness | null> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`The file's address returned ${response.status}.`);
  const file = await response.arrayBuffer();
  const sound = await decode(file);
  if (sound === null) return null;
  const meter = createLoudnessMeter();
  const channels = Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, c) => sound.getChannelData(c));
  for (let start = 0; start < sound.length; start += CHUNK_SAMPLES) {
    signal.throwIfAborted();
    meter.add(channels.map((channel) => channel.subarray(start, start + CHUNK_SAMPLES)));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { integratedLufs: meter.integratedLufs(), peakDb: meter.peakDb() };
}

/** A file has a sound track only if its source or music has; without one, decoding fails. */
async function decode(file: ArrayBuffer): Promise<AudioBuffer | null> {
  const hasSound = new TextDecoder("latin1").decode(new Uint8Array(file)).includes("soun");
  return hasSound ? new OfflineAudioContext(2, 1, METER_HZ).decodeAudioData(file) : null;
}
