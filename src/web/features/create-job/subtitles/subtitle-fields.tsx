import { type UseFormReturn, useWatch } from "react-hook-form";
import { choiceLabel, settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { ChosenFile } from "../../../sources/chosen-file.tsx";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { AddFiles, UploadRows } from "../../../sources/uploads/add-files.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Popover } from "../../../ui/menus/popover.tsx";
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
  const { valid } = read.videos;
  const own = read.rows.filter(({ settings }) => settings?.subtitles).length;
  const isOfTable = own > 0 || valid.length > 1 || read.slots.length > 0;
  if (!isOfTable) return <FileFields form={form} />;
  return (
    <div className="grid gap-2">
      <p className="text-13 text-ink-2">{read.slots.length > 0 ? OF_CLIPS : describeTable(own, valid.length)}</p>
      <div>
        <SubtitleLook form={form} />
      </div>
    </div>
  );
}

const OF_CLIPS = "Each clip of a slot has its own subtitle file, which the API takes.";

function describeTable(own: number, videos: number): string {
  if (own === 0)
    return "Each video needs its own subtitle file. Open the videos as a table and add a column named subtitles with links.";
  const which = own === videos ? "All" : `${own} of`;
  return `${which} ${pluralize(videos, "video")} ${own === 1 ? "has" : "have"} a subtitle file in the table.`;
}

function FileFields({ form }: Pick<Part, "form">) {
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
