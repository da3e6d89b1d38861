import { z } from "zod";
import { CONNECTION_LIMITS, type ConnectionKind, type SettingsOf, problemOfConnectionName } from "./connections.ts";
import type { ConnectionField, FieldValues, SecretValues } from "./kinds/connection-kind.ts";
import { problemOfField, isFieldShown, isSecretField, KIND_NAMES, rulesOf } from "./kinds/connection-kinds.ts";

const id = z.uuid({ error: "The connection ID is missing or not valid." });

const NAME = z
  .string({ error: "Enter a name." })
  .trim()
  .check((check) => {
    const message = problemOfConnectionName(check.value);
    if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
  });

/** Absent or "" secrets are not in `secret`. */
type ParsedFields = {
  [Kind in ConnectionKind]: { kind: Kind; name: string; settings: SettingsOf[Kind]; secret: SecretValues };
}[ConnectionKind];

function schemaOfField(field: ConnectionField): z.ZodType {
  const { type, choices = [], maxCharacters = CONNECTION_LIMITS.keyCharacters, isNumber } = field;
  switch (type) {
    case "lines":
      return z
        .array(z.string().trim())
        .transform((lines) => [...new Set(lines.filter((line) => line !== ""))])
        .default([]);
    case "switch":
      return z.boolean().default(false);
    case "choice":
      return z.enum(choices.map(({ value }) => value)).default(choices[0]?.value ?? "");
    case "text":
    case "secret":
    case "secret-text": {
      const text = z.string().trim().max(maxCharacters);
      return (isNumber ? z.union([text, z.int().transform(String)]) : text).nullish().transform((value) => value ?? "");
    }
  }
}

/** `isTest` allows missing fields that the test finds. */
function schemaOfKind<Extra extends z.ZodRawShape>(kind: ConnectionKind, extra: Extra, isTest: boolean) {
  const rules = rulesOf(kind);
  const shape = Object.fromEntries(rules.fields.map((field) => [field.name, schemaOfField(field)]));
  return z
    .object({ kind: z.literal(kind), name: NAME, ...shape, ...extra })
    .check((check) => {
      const fields = check.value as FieldValues;
      for (const field of rules.fields) {
        if (isTest && field.isFoundByTest && fields[field.name] === "") continue;
        const message = problemOfField(field, fields);
        if (message !== null) check.issues.push({ code: "custom", input: fields[field.name], message });
      }
    })
    .transform((values) => ({
      ...(Object.fromEntries(Object.keys(extra).map((name) => [name, (values as FieldValues)[name]])) as z.output<
        z.ZodObject<Extra>
      >),
      ...splitFields(kind, values as unknown as FieldValues & { name: string }),
    }));
}

function splitFields(kind: ConnectionKind, values: FieldValues & { name: string }): ParsedFields {
  const rules = rulesOf(kind);
  const typed = rules.fields.filter(
    (field) => isSecretField(field) && isFieldShown(field, values) && values[field.name],
  );
  const secrets = Object.fromEntries(typed.map(({ name }) => [name, values[name] as string]));
  return {
    kind,
    name: values.name,
    settings: rules.toSettings(values),
    secret: rules.toSecret?.(secrets) ?? secrets,
  } as ParsedFields;
}

function schemaOfAll<Extra extends z.ZodRawShape>(extra: Extra, isTest = false) {
  const [first, ...others] = KIND_NAMES.map((kind) => schemaOfKind(kind, extra, isTest));
  const names = `${KIND_NAMES.slice(0, -1).join(", ")} or ${KIND_NAMES.at(-1)}`;
  return z.discriminatedUnion("kind", [first!, ...others], { error: `kind: must be ${names}` });
}

export const addConnectionSchema = schemaOfAll({});

/**
 * Replaces all fields, except that an absent or "" secret stays. `version` is that of the fields the change is based
 * on.
 */
export const changeConnectionSchema = schemaOfAll({
  id,
  version: z.int({ error: "version: must be a whole number" }),
});

/** An absent or "" secret means that of the saved connection `id`. */
export const testFieldsSchema = schemaOfAll(
  { id: id.nullish().describe("An empty secret means that of this connection.") },
  true,
);

export const testSavedSchema = z.object({ id });

/** Deletes a connection in use only with `force`. */
export const removeConnectionSchema = z.object({
  id,
  force: z.boolean().default(false).describe("Even if something uses it."),
});
