import { SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import type { JsonSchema } from "./render-types.ts";

type Call = {
  name: string;
  summary: string;
  scope: string;
  selects: JsonSchema;
  request: string;
  response: string;
  isRepeatable: boolean;
};
type Operation = { "x-calls"?: Call[] };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};
type Field = {
  schema: JsonSchema;
  isRequired: boolean;
  /** Not in all members of a union that `kind` distinguishes. */
  isOfKind: boolean;
};

const SETTINGS: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Requests with more settings take all of a job's. */
const MOST_SETTINGS = 10;
/** `/api-reference` has all. */
const MOST_RETURNED = 8;
const SECTION = /(<!-- calls: ([^>]*) -->\n).*?(<!-- end of calls -->)/gs;

/** Returns docs/API.md with the tables between its markers. Throws for calls without a table. */
export function renderCalls(markdown: string, document: object): string {
  const { paths, components } = document as Document;
  const left = new Set(Object.keys(paths).filter((path) => path.startsWith("/functions/v1/")));
  const rendered = markdown.replaceAll(SECTION, (_, start: string, names: string, end: string) => {
    const rows = names.split(" ").flatMap((name) => {
      const path = `/functions/v1/${name}`;
      left.delete(path);
      return Object.entries(paths[path] ?? {}).flatMap(([method, { "x-calls": calls = [] }]) =>
        calls.map((call) => renderRow(name, method, calls.length > 1, call, components.schemas)),
      );
    });
    return `${start}\n| Call | Effect | Request | Response | Scope |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n\n${end}`;
  });
  if (left.size > 0) throw new Error(`docs/API.md has no table with ${[...left].join(", ")}.`);
  return rendered;
}

function renderRow(
  name: string,
  method: string,
  isOneOfSeveral: boolean,
  call: Call,
  schemas: Record<string, JsonSchema>,
): string {
  const title = `\`${name}\`${isOneOfSeveral ? ` ${call.name}` : ""}${method === "get" ? " (GET)" : ""}${call.isRepeatable ? String.raw`\*` : ""}`;
  const fields = fieldsOf(schemaAt(call.request, schemas));
  // Optional constants, such as the `action` of creating a job, are not needed.
  for (const [field, { schema }] of fields) if (field in call.selects || "const" in schema) fields.delete(field);
  const request = [
    ...Object.entries(call.selects).map(([field, value]) => `\`${field}: ${JSON.stringify(value)}\``),
    ...renderFields(fields),
  ].join(", ");
  const returned = [...fieldsOf(schemaAt(call.response, schemas))];
  const response = returned
    .slice(0, MOST_RETURNED)
    .map(([field, { isRequired }]) => (isRequired ? field : `${field}?`));
  if (returned.length > MOST_RETURNED) response.push("…");
  return `| ${[title, call.summary, request, `\`{${response.join(", ")}}\``, call.scope].map(escapeCell).join(" | ")} |`;
}

function renderFields(fields: Map<string, Field>): string[] {
  const settings = [...fields.keys()].filter((name) => SETTINGS.has(name));
  const hasAll = settings.length > MOST_SETTINGS;
  const others = [...fields].filter(([name, { isOfKind }]) => !isOfKind && (!hasAll || !SETTINGS.has(name)));
  const sorted = others.toSorted(([, a], [, b]) => Number(b.isRequired) - Number(a.isRequired));
  return [
    ...(hasAll ? ["settings of a job"] : []),
    ...sorted.map(([name, { schema, isRequired }]) => {
      const note = describe(schema);
      return `\`${name}${isRequired ? "" : "?"}\`${note === "" ? "" : ` (${note})`}`;
    }),
    ...(others.length < fields.size && fields.has("kind") ? ["[fields of the kind](#connections)"] : []),
  ];
}

/** A field of a union is required if all members require it. */
function fieldsOf(schema: JsonSchema): Map<string, Field> {
  const members = (schema["oneOf"] ?? schema["anyOf"]) as JsonSchema[] | undefined;
  if (!members) {
    const required = (schema["required"] ?? []) as string[];
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
    return new Map(
      properties.map(([name, field]) => [
        name,
        { schema: field, isRequired: required.includes(name), isOfKind: false },
      ]),
    );
  }
  const each = members.map(fieldsOf);
  const names = new Set(each.flatMap((fields) => [...fields.keys()]));
  return new Map(
    [...names].map((name) => {
      const found = each.flatMap((fields) => fields.get(name) ?? []);
      const constants = found.flatMap(({ schema }) => ("const" in schema ? [schema["const"]] : []));
      const isInAll = found.length === each.length;
      const field: Field = {
        schema: constants.length > 0 ? { enum: constants } : found[0]!.schema,
        isRequired: isInAll && found.every(({ isRequired }) => isRequired),
        isOfKind: names.has("kind") && !isInAll,
      };
      return [name, field];
    }),
  );
}

/** Returns choices, limits, the default and the description, or "". */
function describe(schema: JsonSchema): string {
  const members = [schema, ...unionOf(schema), ...unionOf(schema).flatMap(unionOf)];
  const find = (key: string): unknown => members.map((member) => member[key]).find((value) => value !== undefined);
  const most = Number(find("maximum") ?? Number.MAX_SAFE_INTEGER);
  const items = find("maxItems");
  const fallback = schema["default"];
  const isShown = typeof fallback === "number" || (typeof fallback === "string" && fallback !== "");
  const facts = [
    ...((find("enum") ?? []) as unknown[]).filter((choice) => choice !== ""),
    ...(most < Number.MAX_SAFE_INTEGER ? [`${String(find("minimum"))} to ${most.toLocaleString("en")}`] : []),
    ...(typeof items === "number" ? [`at most ${items.toLocaleString("en")}`] : []),
    ...(isShown ? [`default ${fallback}`] : []),
  ];
  const text = (schema["description"] as string | undefined)?.replace(/\.$/, "") ?? "";
  const description = text.charAt(0).toLowerCase() + text.slice(1);
  return [facts.join(", "), description].filter((part) => part !== "").join("; ");
}

function unionOf(schema: JsonSchema): JsonSchema[] {
  return (schema["anyOf"] ?? schema["oneOf"] ?? []) as JsonSchema[];
}

function schemaAt(ref: string, schemas: Record<string, JsonSchema>): JsonSchema {
  return schemas[ref.split("/").at(-1)!]!;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
