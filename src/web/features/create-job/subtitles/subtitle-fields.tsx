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

export default function SubtitleFields({ form, read }: Part) {
  const { valid } = read.videos;
  const own = read.rows.filter(({ settings }) => settings?.subtitles).length;
  const isOfTable = own > 0 || valid.length > 1;
  return (
    <div className="grid gap-2">
      {isOfTable ? (
        <p className="text-13 text-ink-2">
          {own > 0
            ? `${own === valid.length ? "All" : `${own} of`} ${pluralize(valid.length, "video")} ${own === 1 ? "has" : "have"} a subtitle file in the table.`
            : "Each video needs its own subtitle file. Open the videos as a table and add a column named subtitles with links."}
        </p>
      ) : (
        <FileField form={form} />
      )}
      <div className="-ml-2">
        <SubtitleLook form={form} />
      </div>
    </div>
  );
}

function FileField({ form }: Pick<Part, "form">) {
  const value = useWatch({ control: form.control, name: "subtitles" });
  const link = value.trim();
  const isOfLibrary = libraryIdOf(link) !== null;
  const setLink = (chosen: string) => form.setValue("subtitles", chosen, { shouldDirty: true });
  const { label } = settingOf("subtitles");
  return (
    <>
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
      <UploadRows use="subtitles" links={isOfLibrary ? [link] : []} isListed />
      <span className="-ml-2">
        <AddFiles
          use="subtitles"
          links={isOfLibrary ? [link] : []}
          isMenu
          onAdd={([added]) => added !== undefined && setLink(added)}
        />
      </span>
    </>
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
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <ChoiceField form={form} name="subtitle_style" label="Style" />
        <ChoiceField form={form} name="subtitle_position" label="Position" />
      </div>
      <span className="text-12 text-ink-3">
        Font, size and colors are those of captions. Automatic keeps clear of captions.
      </span>
    </Popover>
  );
}
