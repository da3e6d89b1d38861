import { type Connection, type ConnectionKind, problemOfConnectionName } from "#contract/connections/connections.ts";
import type { ConnectionField, FieldValues } from "#contract/connections/kinds/connection-kind.ts";
import { CONNECTION_KINDS, problemOfField, isSecretField } from "#contract/connections/kinds/connection-kinds.ts";
import type { ConnectionDraft } from "../api/functions/settings/destinations.ts";

/** Typed input. Fields of type "lines" have one item per line. */
export type ConnectionForm = {
  kind: ConnectionKind;
  name: string;
  fields: Record<string, string | boolean>;
};

/** Never contains secrets. `kind` and `name` are suggestions for a new connection. */
export function toConnectionForm(
  connection: Connection | null,
  { kind = "s3", name = "" }: { kind?: ConnectionKind; name?: string } = {},
): ConnectionForm {
  const values: Record<string, unknown> = { ...connection };
  // All kinds, as another one can be chosen.
  const fields = (connection ? [CONNECTION_KINDS[connection.kind]] : Object.values(CONNECTION_KINDS)).flatMap(
    (rules) => rules.fields,
  );
  return {
    kind: connection?.kind ?? kind,
    name: connection?.name ?? name,
    fields: Object.fromEntries(fields.map((field) => [field.name, toTyped(field, values[field.name])])),
  };
}

function toTyped({ type, choices }: ConnectionField, value: unknown): string | boolean {
  if (type === "switch") return value === true;
  if (Array.isArray(value)) return value.join("\n");
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : (choices?.[0]?.value ?? "");
}

export function toConnectionDraft({ kind, name, fields }: ConnectionForm): ConnectionDraft {
  return { kind, name: name.trim(), ...toFieldValues({ kind, fields }) };
}

function toFieldValues({ kind, fields }: Pick<ConnectionForm, "kind" | "fields">): FieldValues {
  return Object.fromEntries(
    CONNECTION_KINDS[kind].fields.map((field) => {
      const value = fields[field.name] ?? "";
      if (typeof value === "boolean") return [field.name, value];
      return [field.name, field.type === "lines" ? splitLines(value) : value.trim()];
    }),
  );
}

export function checkName(name: string): true | string {
  return problemOfConnectionName(name.trim()) ?? true;
}

/** Applies the server's rules. `isSaved`: an empty secret keeps the saved one. */
export function checkField(field: ConnectionField, form: ConnectionForm, isSaved: boolean): true | string {
  const values = toFieldValues(form);
  if (isSecretField(field) && values[field.name] === "")
    return (!isSaved && problemOfMissing(field, form.kind)) || true;
  return problemOfField(field, values) ?? true;
}

/** Returns null unless only this secret is missing. */
function problemOfMissing({ name, shownFor }: ConnectionField, kind: ConnectionKind): string | null {
  const rules = CONNECTION_KINDS[kind];
  const others = rules.fields.filter((field) => isSecretField(field) && field.name !== name);
  const secret = Object.fromEntries(others.map((field) => [field.name, "x"]));
  const settings = { ...(shownFor && { [shownFor.field]: shownFor.value }) };
  return (rules.problemOfSecret as (values: typeof secret, settings: unknown) => string | null)(secret, settings);
}

/** Splits at line breaks, commas and spaces, which bucket names cannot contain. */
function splitLines(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== "");
}
