export type JsonSchema = Record<string, unknown>;

export function renderType(schema: JsonSchema, without: readonly string[] = []): string {
  const { $ref, allOf, type } = schema as Record<string, unknown>;
  if (typeof $ref === "string") return $ref.split("/").at(-1)!;
  const union = membersOf(schema);
  if (union) {
    const isAnyString = union.some((member) => member["type"] === "string" && !member["enum"]);
    const members = union.filter((member) => !isAnyString || !member["enum"]);
    return `(${[...new Set(members.map((member) => renderType(member, without)))].join(" | ")})`;
  }
  if (allOf) return `(${(allOf as JsonSchema[]).map((member) => renderType(member, without)).join(" & ")})`;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (schema["enum"]) return `(${(schema["enum"] as unknown[]).map((value) => JSON.stringify(value)).join(" | ")})`;
  if (Array.isArray(type)) return `(${type.map((each) => renderType({ ...schema, type: each })).join(" | ")})`;
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `${renderType((schema["items"] ?? {}) as JsonSchema)}[]`;
    case "object":
      return renderObject(schema, without);
    default:
      return "unknown";
  }
}

/** Includes those of inner unions. */
function membersOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] | undefined {
  const members = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  return members?.flatMap((member) => membersOf(member) ?? [member]);
}

function renderObject(schema: JsonSchema, without: readonly string[]): string {
  const required = (schema["required"] ?? []) as string[];
  const fields = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => {
      const isRequired = required.includes(name);
      return `${renderComment(field["description"])}${JSON.stringify(name)}${isRequired ? "" : "?"}: ${renderType(field)}${isRequired ? "" : " | undefined"};`;
    });
  const more = schema["additionalProperties"];
  if (more !== undefined && more !== false)
    fields.push(`[name: string]: ${renderType(more === true ? {} : (more as JsonSchema))};`);
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("\n")}\n}`;
}

export function renderComment(text: unknown): string {
  return typeof text === "string" ? `/** ${text.replaceAll("*/", "* /")} */\n` : "";
}
