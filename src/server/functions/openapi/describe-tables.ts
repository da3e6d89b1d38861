import type { z } from "zod";
import { Domain, Route } from "#contract/cloak/cloak.ts";
import { Job, JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { BrandKit, Preset, PresetVersion } from "#contract/presets/presets.ts";
import { TableError } from "#contract/problems.ts";
import { AudioSet, CaptionSet } from "#contract/sets.ts";
import { scopeOfTable } from "../../auth/scopes.ts";
import { type RestTable, TABLES, type TableName } from "../../rest/rest-tables.ts";
import { jsonBody, refOf, type Schema } from "./parts.ts";

const ROWS: Record<TableName, z.ZodType> = {
  jobs: Job,
  job_videos: JobVideo,
  job_outputs: JobOutput,
  caption_sets: CaptionSet,
  audio_sets: AudioSet,
  presets: Preset,
  preset_versions: PresetVersion,
  brand_kits: BrandKit,
  domains: Domain,
  routes: Route,
};

export function describeTables(types: Record<string, Schema>): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(TABLES).map((table) => [`/rest/v1/${table.name}`, describeTable(table, types)]),
  );
}

function describeTable(table: RestTable, types: Record<string, Schema>): Schema {
  const { name, write } = table;
  const row = refOf(ROWS[name]);
  const rows = { type: "array", items: row };
  const filters = Object.entries(table.columns)
    .filter(([, type]) => type !== "computed")
    .map(([column, type]) => filterOf(column, type));
  const operation = (method: string, verb: string, summary: string) => ({
    operationId: `${verb}_${name}`,
    tags: ["Tables"],
    summary,
    "x-scope": scopeOfTable(method, `/rest/v1/${name}`),
  });
  const get = {
    ...operation("GET", "select", `Reads rows of ${name}.`),
    description:
      "Partial rows contain only the columns in `select`. `Accept: application/vnd.pgrst.object+json` returns one row instead of a list. `Prefer: count=exact` adds the total to `Content-Range`.",
    parameters: [...pageOf(table), ...filters],
    responses: {
      200: { description: "All rows that match.", headers: CONTENT_RANGE, content: listOrOne(rows, row) },
      206: { description: "Some of the rows.", headers: CONTENT_RANGE, content: listOrOne(rows, row) },
      default: FAILED,
    },
  };
  if (!write) return { get };
  const body = writable(types[row.$ref.split("/").at(-1)!]!, write.columns);
  const written = { description: "With `Prefer: return=representation`.", content: listOrOne(rows, row) };
  return {
    get,
    post: {
      ...operation("POST", "insert", `Atomically adds one or more rows to ${name}.`),
      parameters: [PREFER],
      requestBody: { required: true, content: jsonBody({ anyOf: [body, { type: "array", items: body }] }) },
      responses: { 201: written, default: FAILED },
    },
    patch: {
      ...operation("PATCH", "update", `Atomically changes the rows of ${name} that match the filters.`),
      parameters: [PREFER, ...filters],
      requestBody: { required: true, content: jsonBody(body) },
      responses: { 200: written, 204: { description: "Changed." }, default: FAILED },
    },
    delete: {
      ...operation("DELETE", "delete", `Atomically deletes the rows of ${name} that match the filters.`),
      parameters: [PREFER, ...filters],
      responses: { 200: written, 204: { description: "Deleted." }, default: FAILED },
    },
  };
}

const CONTENT_RANGE = {
  "Content-Range": { description: "Such as `0-9/42`; `*` without a count.", schema: { type: "string" } },
};

const PREFER = { name: "Prefer", in: "header", schema: { type: "string" }, example: "return=representation" };

const FAILED = { description: "An error in PostgREST's format.", content: jsonBody(refOf(TableError)) };

function listOrOne(rows: Schema, row: Schema): Schema {
  return { ...jsonBody(rows), "application/vnd.pgrst.object+json": { schema: row } };
}

function pageOf({ maxRows, embeds }: RestTable): Schema[] {
  const counted = Object.keys(embeds);
  const more = counted.length > 0 ? ` Also \`${counted.join("`, `")}\`.` : "";
  return [
    { name: "select", in: "query", description: `Columns, separated by commas.${more}`, schema: { type: "string" } },
    { name: "order", in: "query", schema: { type: "string" }, example: "created_at.desc" },
    { name: "limit", in: "query", schema: { type: "integer", minimum: 0, maximum: maxRows } },
    { name: "offset", in: "query", schema: { type: "integer", minimum: 0 } },
    { name: "Prefer", in: "header", schema: { type: "string" }, example: "count=exact" },
  ];
}

function filterOf(column: string, type: string): Schema {
  const operators =
    type === "list" ? "is" : type === "text" ? "eq neq gt gte lt lte in is like ilike" : "eq neq gt gte lt lte in is";
  return {
    name: column,
    in: "query",
    description: `A filter: one of ${operators.replaceAll(" ", ", ")}, a dot, and a value.`,
    schema: { type: "string", pattern: `^(${operators.replaceAll(" ", "|")})\\.` },
  };
}

/** No column is required: the server reports what is missing. */
function writable(row: Schema, columns: readonly string[]): Schema {
  const properties = (row["properties"] ?? {}) as Record<string, Schema>;
  return {
    type: "object",
    properties: Object.fromEntries(columns.map((column) => [column, properties[column] ?? {}])),
  };
}
