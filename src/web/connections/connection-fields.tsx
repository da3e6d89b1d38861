import { type ChangeEvent, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { Connection } from "#contract/connections/connections.ts";
import type { ConnectionField } from "#contract/connections/kinds/connection-kind.ts";
import {
  CONNECTION_KINDS,
  isFieldShown,
  isSecretField,
  KIND_NAMES,
} from "#contract/connections/kinds/connection-kinds.ts";
import { SegmentedField } from "../ui/fields/segmented-field.tsx";
import { SwitchRow } from "../ui/fields/switch-row.tsx";
import { TextAreaField } from "../ui/fields/text-area-field.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { checkField, checkName, type ConnectionForm } from "./connection-form.ts";
import { describeKey } from "./describe-connection.ts";

const RAW = { autoCapitalize: "none", autoComplete: "off", spellCheck: false, className: "raw" } as const;
const KINDS = KIND_NAMES.map((kind) => ({ value: kind, label: CONNECTION_KINDS[kind].label }));

type FormProps = { form: UseFormReturn<ConnectionForm>; connection: Connection | null };

/**
 * With `isKindFixed`, the fields are part of another form, which sets the kind and has its own name and bucket.
 * Operators would mix up two fields for buckets.
 */
export function ConnectionFields({ form, connection, isKindFixed = false }: FormProps & { isKindFixed?: boolean }) {
  const { errors } = form.formState;
  const kind = useWatch({ control: form.control, name: "kind" });
  const fields = useWatch({ control: form.control, name: "fields" });
  const { fields: known, text } = CONNECTION_KINDS[kind];
  return (
    <>
      {!connection && !isKindFixed && (
        <SegmentedField
          label="Kind"
          options={KINDS}
          value={kind}
          hint={text}
          onChange={(value) => form.setValue("kind", value, { shouldDirty: true })}
        />
      )}
      <TextField
        {...form.register("name", { validate: checkName })}
        label={isKindFixed ? "Connection name" : "Name"}
        autoComplete="off"
        error={errors.name?.message}
      />
      {known
        .filter((field) => isFieldShown(field, fields) && !(isKindFixed && field.name === "buckets"))
        .map((field) => (
          <FieldOfKind key={`${kind} ${field.name}`} field={field} form={form} connection={connection} />
        ))}
    </>
  );
}

function FieldOfKind({ field, form, connection }: FormProps & { field: ConnectionField }) {
  const { name, label, type, hint, placeholder } = field;
  const isSaved = connection !== null && !connection.needs_secret;
  const path = `fields.${name}` as const;
  const error = form.formState.errors.fields?.[name]?.message;
  const [hadText, setHadText] = useState(false);
  const registered = form.register(path, {
    validate: (_, values) => checkField(field, values, isSaved),
    onChange: ({ target: { value } }: ChangeEvent<HTMLInputElement>) => {
      const hasText = value.trim() !== "";
      if (connection || hasText === hadText) return;
      setHadText(hasText);
      for (const other of CONNECTION_KINDS[form.getValues("kind")].fields) {
        if (other.isOnWith === name) form.setValue(`fields.${other.name}`, hasText);
      }
    },
    ...(field.affects !== undefined && { deps: [`fields.${field.affects}`] }),
  });
  if (type === "switch") {
    return <SwitchRow label={label} text={hint} {...registered} />;
  }
  if (type === "choice") {
    const value = form.getValues(path);
    return (
      <SegmentedField
        label={label}
        options={field.choices!}
        value={typeof value === "string" ? value : null}
        onChange={(chosen) => form.setValue(path, chosen, { shouldDirty: true })}
      />
    );
  }
  const texts = isSecretField(field) ? textsOfSecret(field, isSaved ? connection : null) : { hint, placeholder };
  if (type === "lines" || type === "secret-text") {
    return (
      <TextAreaField {...RAW} {...registered} {...texts} label={label} rows={type === "lines" ? 2 : 4} error={error} />
    );
  }
  const secret = type === "secret" && { type: "password", autoComplete: "new-password" };
  const address = placeholder === "https://" && { inputMode: "url" as const };
  return <TextField {...RAW} {...registered} {...texts} {...address} {...secret} label={label} error={error} />;
}

/** `saved` is null if the secret must be entered. */
function textsOfSecret({ name, hint, placeholder }: ConnectionField, saved: Connection | null) {
  if (!saved) return { hint: hint ?? "Stored encrypted and never shown again.", placeholder };
  const isRecognized = CONNECTION_KINDS[saved.kind].endingOf === name;
  return {
    hint: isRecognized ? describeKey(saved) : "Leave empty to keep the saved one.",
    placeholder: "Enter a new secret to replace it",
  };
}
