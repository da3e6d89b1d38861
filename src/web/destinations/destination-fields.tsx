import { useId } from "react";
import { useController, type UseFormReturn, useWatch } from "react-hook-form";
import {
  type Destination,
  DESTINATION_KINDS,
  type DestinationKind,
  OWN_FOLDER,
} from "#contract/destinations/destinations.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import { ConnectionField, NEW_CONNECTION } from "../connections/connection-field.tsx";
import { ConnectionFields } from "../connections/connection-fields.tsx";
import { ConnectionTest } from "../connections/connection-sheet.tsx";
import { useConnections } from "../connections/use-connections.ts";
import { useSaving } from "../editors/use-saving.ts";
import { Button } from "../ui/buttons/button.tsx";
import { ErrorBox } from "../ui/states/error-box.tsx";
import { KIND_LABELS } from "./describe-place.ts";
import { Field } from "../ui/fields/field.tsx";
import { SwitchRow } from "../ui/fields/switch-row.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Select } from "../ui/menus/select.tsx";
import { type DestinationForm, destinationRules, suggestName } from "./destination-form.ts";
import { PostingFields } from "./posting-fields.tsx";
import type { NewConnection } from "./use-new-connection.ts";

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
  /** Whose names are taken. */
  others: readonly Destination[];
  connection: NewConnection;
  /** Folder names that the server allows. */
  folders: readonly string[];
};

export function DestinationFields({ form, destination, others, folders, connection }: FieldsProps) {
  const { errors, dirtyFields } = form.formState;
  const kind = useWatch({ control: form.control, name: "kind" });
  const saved = useConnections().data?.data ?? [];

  function changeKind(next: DestinationForm["kind"]) {
    const [first, ...others] = saved.filter((one) => one.kind === next);
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("place", next === "folder" ? OWN_FOLDER : "");
    form.setValue("connectionId", first && others.length === 0 ? first.id : "");
    form.setValue("channels", []);
    form.clearErrors();
    connection.start(next, false);
    renewName();
  }
  /** Until another name is typed. */
  function renewName() {
    if (!destination && !dirtyFields.name) form.setValue("name", suggestName(form.getValues(), others));
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
      {kind === "folder" ? (
        <FolderField form={form} folders={folders} />
      ) : (
        <ChosenConnection form={form} kind={kind} connection={connection} />
      )}
      {kind === "postiz" ? (
        <PostingFields form={form} />
      ) : (
        <FileFields form={form} kind={kind} onPlaceChange={renewName} />
      )}
      <SwitchRow
        label="Turned on"
        text="Jobs do not deliver to a destination that is turned off."
        {...form.register("enabled")}
      />
    </>
  );
}

function FileFields({
  form,
  kind,
  onPlaceChange,
}: Pick<FieldsProps, "form"> & { kind: Exclude<DestinationKind, "postiz">; onPlaceChange: () => void }) {
  const { errors } = form.formState;
  return (
    <>
      {kind !== "folder" && kind !== "dropbox" && (
        <TextField
          {...RAW}
          {...form.register("place", { validate: destinationRules.place, onChange: onPlaceChange })}
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
      <SwitchRow
        label="Deliver the manifest"
        text="It is delivered last, after all files have arrived."
        {...form.register("withManifest")}
      />
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

function ChosenConnection({
  form,
  kind,
  connection,
}: Pick<FieldsProps, "form" | "connection"> & { kind: Exclude<DestinationKind, "folder"> }) {
  const isAdded = connection.kind !== null;
  const validate: typeof destinationRules.connectionId = (id, values) =>
    isAdded || destinationRules.connectionId(id, values);
  const { field } = useController({ control: form.control, name: "connectionId", rules: { validate } });
  const hasOthers = useConnections().data?.data.some((one) => one.kind === kind) ?? false;

  function choose(next: string) {
    field.onChange(next);
    // Channels belong to the previous connection.
    form.setValue("channels", []);
    connection.start(kind, false);
  }
  function startNew() {
    choose("");
    connection.start(kind, true);
  }
  return (
    <>
      {(hasOthers || !isAdded) && (
        <ConnectionField
          kind={kind}
          value={isAdded ? NEW_CONNECTION : field.value}
          onChange={choose}
          onNew={startNew}
          error={isAdded ? undefined : form.formState.errors.connectionId?.message}
        />
      )}
      {isAdded && <NewConnectionFields connection={connection} kind={kind} />}
    </>
  );
}

function NewConnectionFields({
  connection,
  kind,
}: {
  connection: NewConnection;
  kind: Exclude<DestinationKind, "folder">;
}) {
  const { isBusy, failure, save } = useSaving("connection");
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-5 border-y border-line py-5">
      <div>
        <h3 id={id} className="font-medium text-ink">
          New connection
        </h3>
        <p className="text-12 text-ink-3">{CONNECTION_KINDS[kind].text}</p>
      </div>
      <ConnectionFields form={connection.form} connection={null} isKindFixed />
      <ConnectionTest form={connection.form} id={null}>
        <Button isBusy={isBusy} onClick={() => void save(async () => void (await connection.add()))}>
          Save connection
        </Button>
      </ConnectionTest>
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
    </section>
  );
}
