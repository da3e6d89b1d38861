import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import {
  type ConnectedKind,
  type Existing,
  type Grouping,
  isConnected,
  WATCH_KINDS,
  type WatchFolder,
  type WatchKind,
} from "#contract/watch-folders/watch-folders.ts";
import { ConnectionField } from "../../connections/connection-field.tsx";
import { NewPresetDialog } from "../../presets/new-preset-dialog.tsx";
import { usePresets } from "../../presets/use-presets.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberField, TextField } from "../../ui/fields/text-field.tsx";
import { SegmentedField } from "../../ui/fields/segmented-field.tsx";
import { Select } from "../../ui/menus/select.tsx";
import { KIND_LABELS, KIND_OPTIONS } from "./describe-folder.ts";
import { type FolderForm, folderRules } from "./folder-form.ts";

type Form = { form: UseFormReturn<FolderForm> };

const RAW = { autoCapitalize: "none", autoComplete: "off", spellCheck: false, className: "raw" } as const;

const GROUPING_HINTS: Record<Grouping, string> = {
  batch: "Waits until all new files are complete, at most 10 minutes.",
  file: "Each file starts as soon as it is complete.",
};
const EXISTING_HINTS: Record<Existing, string> = {
  skip: "Existing files are listed, and you can run them one by one.",
  take: "Existing files also become jobs.",
};

export function FolderFields({
  form,
  folder,
  localFolders,
}: Form & { folder: WatchFolder | null; localFolders: readonly string[] }) {
  const { errors } = form.formState;
  const grouping = useController({ control: form.control, name: "grouping" }).field;
  const existing = useController({ control: form.control, name: "existing" }).field;
  return (
    <>
      <TextField
        {...form.register("name", { validate: folderRules.name })}
        label="Name"
        autoComplete="off"
        error={errors.name?.message}
      />
      {folder ? (
        <>
          <SavedPlace folder={folder} />
          {isConnected(folder.kind) && <ChosenConnection form={form} kind={folder.kind} />}
        </>
      ) : (
        <PlaceFields form={form} localFolders={localFolders} />
      )}
      <PresetField form={form} />
      <TextField
        {...form.register("jobName", { validate: folderRules.jobName })}
        label="Job name"
        autoComplete="off"
        hint="Can contain {folder}, {date}, {time}, {file} and {count}. Date and time are in UTC."
        error={errors.jobName?.message}
      />
      <SegmentedField
        label="Jobs"
        options={[
          { value: "batch", label: "One per batch" },
          { value: "file", label: "One per file" },
        ]}
        value={grouping.value}
        onChange={grouping.onChange}
        hint={GROUPING_HINTS[grouping.value]}
      />
      {!folder && (
        <SegmentedField
          label="Existing files"
          options={[
            { value: "skip", label: "Skip" },
            { value: "take", label: "Use" },
          ]}
          value={existing.value}
          onChange={existing.onChange}
          hint={EXISTING_HINTS[existing.value]}
        />
      )}
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          {...form.register("interval", { validate: folderRules.interval })}
          label="Check every (s)"
          error={errors.interval?.message}
        />
        <NumberField
          {...form.register("settle", { validate: folderRules.settle })}
          label="Complete after (s)"
          hint="Seconds without a change."
          error={errors.settle?.message}
        />
      </div>
    </>
  );
}

function SavedPlace({ folder: { kind, place } }: { folder: WatchFolder }) {
  return (
    <div className="grid gap-1.5">
      <span className="font-medium text-ink">{KIND_LABELS[kind]}</span>
      <span className="raw wrap-anywhere">{place}</span>
    </div>
  );
}

function PlaceFields({ form, localFolders }: Form & { localFolders: readonly string[] }) {
  const id = useId();
  const { value: kind, onChange } = useController({ control: form.control, name: "kind" }).field;
  const place = PLACES[kind];

  function changeKind(next: WatchKind) {
    onChange(next);
    form.setValue("connectionId", "");
    form.clearErrors(["place", "connectionId"]);
  }
  return (
    <>
      <Field id={id} label="Location">
        <Select id={id} label="Location" options={KINDS} value={kind} onChange={changeKind} className="w-full" />
      </Field>
      {isConnected(kind) && <ChosenConnection form={form} kind={kind} />}
      <TextField
        {...RAW}
        {...form.register("place", { validate: folderRules.place })}
        label={place.label}
        placeholder={place.placeholder}
        hint={kind === "local" ? describeLocal(localFolders) : place.hint}
        error={form.formState.errors.place?.message}
      />
    </>
  );
}

function ChosenConnection({ form, kind }: Form & { kind: ConnectedKind }) {
  const validate = folderRules.connectionId;
  const { field, fieldState } = useController({ control: form.control, name: "connectionId", rules: { validate } });
  return (
    <ConnectionField kind={kind} value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
  );
}

const KINDS = WATCH_KINDS.map((value) => ({ value, label: KIND_OPTIONS[value] }));

const DRIVE_PLACE = { label: "Link to the folder", placeholder: "https://drive.google.com/drive/folders/" };
const PATH_PLACE = { label: "Folder", placeholder: "/incoming" };

const PLACES: Record<WatchKind, { label: string; placeholder: string; hint: string }> = {
  local: { label: "Folder name", placeholder: "incoming", hint: "" },
  s3: {
    label: "Link to the folder",
    placeholder: "s3://bucket/incoming/",
    hint: "Subfolders are ignored. The bucket needs a connection in Settings.",
  },
  "google-drive": {
    ...DRIVE_PLACE,
    hint: "Subfolders are ignored. Share the folder with anyone who has the link. Requires a Google Drive key in Settings.",
  },
  drive: { ...DRIVE_PLACE, hint: "Subfolders are ignored. Share the folder with the connection's service account." },
  dropbox: { ...PATH_PLACE, hint: "Subfolders are ignored. / is the whole Dropbox." },
  sftp: {
    ...PATH_PLACE,
    hint: "Subfolders are ignored. A path without a leading slash is relative to the user's home folder.",
  },
};

function describeLocal(names: readonly string[]): string {
  const here = names.length === 0 ? "" : ` On this server: ${names.slice(0, 10).join(", ")}.`;
  return `In DATA_DIR/watch, and created if it does not exist.${here}`;
}

function PresetField({ form }: Form) {
  const id = useId();
  const presets = usePresets();
  const { field, fieldState } = useController({
    control: form.control,
    name: "presetId",
    rules: { validate: (value) => value !== null || "Choose a preset." },
  });
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Field id={id} label="Preset" error={fieldState.error?.message}>
      <div className="flex gap-2">
        <Select
          id={id}
          label="Preset"
          className="min-w-0 flex-1"
          options={(presets.data ?? []).map((preset) => ({ value: preset.id, label: preset.name }))}
          value={field.value}
          placeholder={presets.isLoadingError ? "Couldn't load the presets" : "Choose a preset"}
          onChange={field.onChange}
          onLost={() => field.onChange(null)}
        />
        <Button icon={Plus} disabled={!presets.data} onClick={() => setIsCreating(true)}>
          New preset
        </Button>
      </div>
      <NewPresetDialog
        isOpen={isCreating}
        presets={presets.data ?? []}
        text="All its settings can be changed in Create Jobs."
        onSaved={(saved) => field.onChange(saved.id)}
        onClose={() => setIsCreating(false)}
      />
    </Field>
  );
}
