import { useId } from "react";
import { useController, type UseFormReturn, useWatch } from "react-hook-form";
import {
  type Destination,
  DESTINATION_KINDS,
  type DestinationKind,
  OWN_FOLDER,
} from "#contract/destinations/destinations.ts";
import { ConnectionField } from "../../../connections/connection-field.tsx";
import { KIND_LABELS } from "../../../destinations/describe-place.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { type DestinationForm, destinationRules } from "./destination-form.ts";
import { PostingFields } from "./posting-fields.tsx";

const RAW = { autoCapitalize: "none", autoComplete: "off", spellCheck: false, className: "raw" } as const;
const PLACES = {
  s3: { label: "Bucket" },
  sftp: { label: "Start folder", hint: "Such as /srv/uploads. Leave empty for the user's own folder." },
  drive: {
    label: "Folder ID",
    hint: "The end of the folder's address. Share the folder with the service account as an editor.",
  },
} as const;
const LABELS: Partial<Record<DestinationKind, string>> = { s3: "Prefix", dropbox: "Folder" };
const KINDS = DESTINATION_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

type FieldsProps = {
  form: UseFormReturn<DestinationForm>;
  destination: Destination | null;
  /** Folder names that the server allows. */
  folders: readonly string[];
};

export function DestinationFields({ form, destination, folders }: FieldsProps) {
  const { errors } = form.formState;
  const kind = useWatch({ control: form.control, name: "kind" });

  function changeKind(next: DestinationForm["kind"]) {
    form.setValue("kind", next);
    form.setValue("place", next === "folder" ? OWN_FOLDER : "");
    form.setValue("connectionId", "");
    form.setValue("channels", []);
    form.clearErrors();
  }
  return (
    <>
      {!destination && <KindField kind={kind} onChange={changeKind} />}
      <TextField
        {...form.register("name", { validate: destinationRules.name })}
        label="Name"
        autoComplete="off"
        error={errors.name?.message}
      />
      {kind === "folder" ? <FolderField form={form} folders={folders} /> : <ChosenConnection form={form} kind={kind} />}
      {kind === "postiz" ? <PostingFields form={form} /> : <FileFields form={form} kind={kind} />}
      <div className="grid gap-1.5">
        <Switch label="Turned on" {...form.register("enabled")} />
        <p className="text-12 text-ink-3">Jobs do not deliver to a destination that is turned off.</p>
      </div>
    </>
  );
}

function FileFields({ form, kind }: Pick<FieldsProps, "form"> & { kind: Exclude<DestinationKind, "postiz"> }) {
  const { errors } = form.formState;
  return (
    <>
      {kind !== "folder" && kind !== "dropbox" && (
        <TextField
          {...RAW}
          {...form.register("place", { validate: destinationRules.place })}
          {...PLACES[kind]}
          error={errors.place?.message}
        />
      )}
      <TextField
        {...RAW}
        {...form.register("folder", { validate: destinationRules.folder })}
        label={LABELS[kind] ?? "Subfolder"}
        hint="Optional. Separate folders with /. {job} is replaced by the job's name."
        error={errors.folder?.message}
      />
      <TextField
        {...RAW}
        {...form.register("namePattern", { validate: destinationRules.namePattern })}
        label="Name pattern"
        placeholder="{row.sku}-{variant}"
        hint="Optional. Leave empty to keep the names of the job's files."
        error={errors.namePattern?.message}
      />
      <div className="grid gap-1.5">
        <Switch label="Deliver the manifest" {...form.register("withManifest")} />
        <p className="text-12 text-ink-3">It is delivered last, after all files have arrived.</p>
      </div>
    </>
  );
}

function KindField({ kind, onChange }: { kind: DestinationKind; onChange: (kind: DestinationKind) => void }) {
  const id = useId();
  return (
    <Field id={id} label="Kind">
      <Select id={id} label="Kind" options={KINDS} value={kind} onChange={onChange} className="w-full" />
    </Field>
  );
}

function FolderField({ form, folders }: Pick<FieldsProps, "form" | "folders">) {
  const id = useId();
  const { field } = useController({
    control: form.control,
    name: "place",
    rules: { validate: destinationRules.place },
  });
  const options = folders.map((name) => ({ value: name, label: name === OWN_FOLDER ? `${name} (data folder)` : name }));
  return (
    <Field
      id={id}
      label="Folder"
      hint="On the worker's machine. DELIVERY_FOLDERS in the server's configuration adds others."
      error={form.formState.errors.place?.message}
    >
      <Select
        id={id}
        label="Folder"
        options={options}
        value={field.value}
        placeholder="Choose a folder"
        onChange={field.onChange}
        className="w-full"
      />
    </Field>
  );
}

function ChosenConnection({ form, kind }: Pick<FieldsProps, "form"> & { kind: Exclude<DestinationKind, "folder"> }) {
  const validate = destinationRules.connectionId;
  const { field } = useController({ control: form.control, name: "connectionId", rules: { validate } });
  const error = form.formState.errors.connectionId?.message;
  const choose = (next: string): void => {
    field.onChange(next);
    // Channels belong to the previous connection.
    form.setValue("channels", []);
  };
  return <ConnectionField kind={kind} value={field.value} onChange={choose} error={error} />;
}
