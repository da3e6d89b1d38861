import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { choiceLabel, settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { ChosenFile } from "../../../sources/chosen-file.tsx";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { AddFiles, UploadRows } from "../../../sources/uploads/add-files.tsx";
import { sectionLink } from "../../../app/routing/settings-sections.ts";
import { Segmented } from "../../../ui/fields/segmented.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Popover } from "../../../ui/menus/popover.tsx";
import LanguageField from "../advanced/language-field.tsx";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";

type Part = { form: UseFormReturn<JobForm>; read: ReadForm };

const STYLE_HINTS = {
  line: "One or two lines at a time.",
  word: "One word at a time.",
  karaoke: "Lines whose words change color as they are spoken.",
  box: "Lines with a box around the word that is spoken.",
} as const satisfies Record<JobForm["subtitleStyle"], string>;

const POSITION_HINTS = {
  off: "At the bottom, or in the middle if captions are at the bottom.",
  top: "At the top of the safe area.",
  middle: "In the middle of the frame.",
  bottom: "At the bottom of the safe area.",
} as const satisfies Record<JobForm["subtitlePosition"], string>;

export default function SubtitleFields({ form, read }: Part) {
  return (
    <div className="grid gap-4">
      <SourceFields form={form} read={read} />
      <LanguageField form={form} name="subtitle_languages" />
    </div>
  );
}

function SourceFields({ form, read }: Part) {
  const { valid } = read.videos;
  const own = read.rows.filter(({ settings }) => settings?.subtitles).length;
  const isOfTable = own > 0 || valid.length > 1 || read.slots.length > 0;
  const { transcribes } = read;
  if (!isOfTable) return transcribes ? <WordsFields form={form} /> : <FileFields form={form} />;
  const text = read.slots.length > 0 ? describeClips(transcribes) : describeTable(own, valid.length, transcribes);
  return (
    <div className="grid gap-2">
      <p className="text-13 text-ink-2">{text}</p>
      {!transcribes && <TranscriptionNote />}
      <div>
        <SubtitleLook form={form} />
      </div>
    </div>
  );
}

/** Explains how to make subtitles without files. */
function TranscriptionNote() {
  return (
    <p className="text-12 text-ink-3">
      To make subtitles from speech,{" "}
      <Link {...sectionLink("models")} className="rounded-1 underline underline-offset-2">
        set up transcription in Settings
      </Link>
      .
    </p>
  );
}

type WordsFrom = "speech" | "file";

function WordsFields({ form }: Pick<Part, "form">) {
  const hasFile = useWatch({ control: form.control, name: "subtitles" }).trim() !== "";
  const [chosen, setChosen] = useState<WordsFrom>("speech");
  const from = hasFile ? "file" : chosen;
  const choose = (value: WordsFrom) => {
    setChosen(value);
    if (value === "speech" && hasFile) form.setValue("subtitles", "", { shouldDirty: true });
  };
  return (
    <div className="grid gap-2">
      <Segmented<WordsFrom>
        label="Subtitles from"
        options={[
          { value: "speech", label: "From speech" },
          { value: "file", label: "From a file" },
        ]}
        value={from}
        onChange={choose}
      />
      {from === "file" ? (
        <FileFields form={form} transcribes />
      ) : (
        <div className="grid gap-2">
          <p className="text-13 text-ink-2">{FROM_SPEECH}</p>
          <div>
            <SubtitleLook form={form} />
          </div>
        </div>
      )}
    </div>
  );
}

const FROM_SPEECH = "The speech is transcribed once, when the job starts. All variants share the transcript.";

function describeClips(transcribes: boolean): string {
  if (transcribes) return "Each clip shows its own words, from its speech or from a subtitle file set through the API.";
  return "Each clip of a slot has its own subtitle file, set through the API.";
}

function describeTable(own: number, videos: number, transcribes: boolean): string {
  if (transcribes && own < videos) {
    const others = own === 0 ? "each video" : "the other videos";
    return `Made from the speech of ${others}. Videos with a file in the table's subtitles column use that file.`;
  }
  if (own === 0)
    return "Each video needs its own subtitle file. Open the videos as a table and add a column named subtitles with links.";
  const which = own === videos ? "All" : `${own} of`;
  return `${which} ${pluralize(videos, "video")} ${own === 1 ? "has" : "have"} a subtitle file in the table.`;
}

function FileFields({ form, transcribes = false }: Pick<Part, "form"> & { transcribes?: boolean }) {
  const value = useWatch({ control: form.control, name: "subtitles" });
  const link = value.trim();
  const isOfLibrary = libraryIdOf(link) !== null;
  const links = isOfLibrary ? [link] : [];
  const setLink = (chosen: string) => form.setValue("subtitles", chosen, { shouldDirty: true });
  const { label } = settingOf("subtitles");
  return (
    <div className="grid gap-2">
      {isOfLibrary ? (
        <ChosenFile label={label} kind="subtitles" link={link} onRemove={() => setLink("")} />
      ) : (
        <TextField
          {...form.register("subtitles")}
          label={label}
          isLabelHidden
          placeholder="Link to a subtitle file"
          autoComplete="off"
          maxLength={JOB_LIMITS.linkCharacters}
          hint="SRT, VTT, ASS, or words with times as JSON."
        />
      )}
      {!transcribes && <TranscriptionNote />}
      <UploadRows use="subtitles" links={links} isListed />
      <div className="flex flex-wrap items-center gap-2">
        <SubtitleLook form={form} />
        <AddFiles use="subtitles" links={links} isMenu onAdd={([added]) => added !== undefined && setLink(added)} />
      </div>
    </div>
  );
}

function SubtitleLook({ form }: Pick<Part, "form">) {
  const [style, position] = useWatch({ control: form.control, name: ["subtitleStyle", "subtitlePosition"] });
  const summary = [
    choiceLabel(settingOf("subtitle_style"), style),
    ...(position === "off" ? [] : [choiceLabel(settingOf("subtitle_position"), position)]),
  ];
  return (
    <Popover label="Subtitle look" summary={summary.join(" · ")}>
      <ChoiceField form={form} name="subtitle_style" label="Style" hints={STYLE_HINTS} />
      <ChoiceField form={form} name="subtitle_position" label="Position" hints={POSITION_HINTS} />
      <span className="text-12 text-ink-3">Font, size and colors are those of captions.</span>
    </Popover>
  );
}
