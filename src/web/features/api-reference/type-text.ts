import type { Schema } from "../../api/api-document.ts";

/** Returns, for example, `string or null`. */
export function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return [...new Set(members.map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}`;
  return schema.type ?? "any";
}

export type Field = { name: string; type: string; isRequired: boolean; description: string };

/** Includes the fields of combined (`allOf`) schemas. */
export function fieldsOf(schema: Schema): Field[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeText(field),
    isRequired: schema.required?.includes(name) ?? false,
    description: field.description ?? "",
  }));
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(fieldsOf);
  return [...new Map([...own, ...parts].map((field) => [`${field.name} ${field.type}`, field])).values()];
}
