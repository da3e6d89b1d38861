import * as fc from "fast-check";
import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { expect, it } from "vitest";
import type { Tables } from "#database/tables.ts";
import { parseRestQuery, type RestQuery } from "./parse-query.ts";
import { RestError } from "./rest-error.ts";
import { findTable, type RestTable } from "./rest-tables.ts";
import { selectRows } from "./select-rows.ts";

const TABLES = ["jobs", "job_videos", "job_outputs", "caption_sets", "audio_sets", "domains", "routes"];
const COLUMNS = ["id", "job_name", "status", "progress", "created_at", "active", "captions", "queue_position", "x"];
const OPERATORS = ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is", "not.eq", "or", "fts"];

/** Occurs in no generated SQL, so a hit means an unbound value. */
const MARK = "zqxjkvbm";

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("'", '"', "\\", ";--", "' or 1=1 --", "$1", "\0", "(", ")", "null", "(a,b)", '("a\\"",b)', "%", "*"),
  fc.uuid(),
  fc.double().map(String),
);
const value = fc.tuple(nasty, nasty).map(([before, after]) => `${before}${MARK}${after}`);
const condition = fc.tuple(fc.constantFrom(...OPERATORS), fc.oneof(value, nasty, fc.constant(`(${MARK},"a")`)));
const parameter = fc.oneof(
  fc.tuple(
    fc.constantFrom(...COLUMNS),
    condition.map(([operator, text]) => `${operator}.${text}`),
  ),
  fc.tuple(fc.constantFrom("select", "order", "limit", "offset", "columns", "or", "and"), fc.oneof(value, nasty)),
  fc.tuple(fc.constant("select"), fc.subarray(["*", "id", "routes(count)", "domains(name)", "name"]).map(String)),
  fc.tuple(
    fc.constant("order"),
    fc.constantFrom("id.asc", "created_at.desc.nullslast", "name.desc", "id.desc;drop table jobs"),
  ),
  fc.tuple(value, value),
);

const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (of) => new PostgresIntrospector(of),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

async function compile(table: RestTable, query: RestQuery) {
  const compiled: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({ dialect, log: (event) => void compiled.push(event.query) });
  await selectRows({ db, links: { sign: (path) => path, isValid: () => false } }, table, query);
  return compiled;
}

/** Returns null for a rejected query. */
function parse(parameters: [string, string][], table: RestTable): RestQuery | null {
  try {
    return parseRestQuery(new URLSearchParams(parameters), table);
  } catch (error) {
    if (error instanceof RestError && error.status < 500) return null;
    throw error;
  }
}

it("binds every text of a query in SQL, and rejects invalid queries with a RestError", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TABLES), fc.array(parameter, { maxLength: 5 }), async (name, parameters) => {
      const table = findTable(name)!;
      const query = parse(parameters, table);
      fc.pre(query !== null);
      const compiled = await compile(table, query);
      expect(compiled).toHaveLength(1);
      const [{ sql, parameters: bound }] = compiled as [{ sql: string; parameters: readonly unknown[] }];
      expect(sql).not.toContain(MARK);
      expect(sql).not.toContain(";");
      // The parameters are limit, offset, those of the query without filters, and one or more per filter.
      const plain = await compile(table, { ...query, filters: [] });
      const values = query.filters.flatMap((filter) =>
        filter.operator === "in" ? filter.values : filter.operator === "is" ? [] : [filter.value],
      );
      expect(bound).toHaveLength(values.length + plain[0]!.parameters.length);
    }),
    { numRuns: 2_000, maxSkipsPerRun: 1_000 },
  );
});

it("reads only the selected columns and those they are computed from", async () => {
  const jobs = findTable("jobs")!;
  const one: [string, string] = ["limit", "1"];
  const read = async (select: string) => (await compile(jobs, parse([["select", select], one], jobs)!))[0]!.sql;
  const names = async (select: string) => [...(await read(select)).matchAll(/as "(\w+)"/g)].map(([, name]) => name);
  expect(await names("job_name,progress")).toEqual(["id", "job_name", "progress"]);
  expect(await names("seconds_left")).toEqual(["id", "status", "held_at", "proof_state", "measured_speed", "progress"]);
  expect(await read("status,download_url")).not.toMatch(/input_videos|custom_captions|custom_audio_links/);
  expect(await names("*")).toContain("custom_captions");
});
