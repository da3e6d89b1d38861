import type { PGlite } from "@electric-sql/pglite";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { createPglite } from "../open-database.ts";
import { createStatements, type Statements } from "./statements.ts";

let pglite: PGlite;
let statements: Statements;
beforeAll(async () => void (pglite = await createPglite({})));
beforeEach(async () => {
  await pglite.exec("discard all");
  statements = createStatements(pglite);
});

async function valuesOf(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const { rows } = await statements.run<Record<string, unknown>>(text, values);
  return rows.flatMap((row) => Object.values(row));
}

async function preparedNames(): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>("select name from pg_prepared_statements");
  return rows.map(({ name }) => name);
}

it("returns the same values for the first, second and later uses", async () => {
  const text = "select $1::int, $2::boolean, $3::jsonb, $4::text[], $5::timestamptz, $6::int8, $7::date, $8::uuid[]";
  const id = "0b8a2f5e-6f4c-4f62-9d9e-0d6d1c2c8f11";
  const values = [7, true, { a: [1] }, ['a "b"', "c"], "2026-11-23T10:00:00.000Z", 2 ** 40, null, [id]];
  for (let use = 0; use < 4; use++) expect(await valuesOf(text, values)).toEqual(values);
});

it("keeps the statements that are used again, at most a hundred", async () => {
  await valuesOf("select 1");
  expect(await preparedNames()).toEqual([]);
  for (let i = 0; i < 120; i++) for (let use = 0; use < 3; use++) await valuesOf(`select ${i}`);
  await valuesOf("select 119");
  expect(await preparedNames()).toHaveLength(100);
});

it("plans a statement again after 200 uses", async () => {
  for (let use = 0; use < 3; use++) await valuesOf("select 1");
  const before = await preparedNames();
  for (let use = 0; use < 200; use++) await valuesOf("select 1");
  expect(await preparedNames()).not.toEqual(before);
  expect(await preparedNames()).toHaveLength(1);
});

it("counts the rows that a repeated statement changes", async () => {
  await statements.run("create table counted (id int)", []);
  for (let use = 1; use <= 3; use++) {
    await statements.run("insert into counted values ($1)", [use]);
    const { affectedRows } = await statements.run("update counted set id = id", []);
    expect(affectedRows).toBe(use);
  }
});

it("goes on after a failure, and inside a transaction after its rollback", async () => {
  await statements.run("create table once (id int primary key)", []);
  const insert = (id: unknown) => statements.run("insert into once values ($1)", [id]);
  for (const id of [1, 2]) await insert(id);
  await expect(insert(2)).rejects.toMatchObject({ code: "23505" });
  await expect(insert("two")).rejects.toMatchObject({ code: "22P02" });
  await expect(statements.run("select from missing", [])).rejects.toMatchObject({ code: "42P01" });
  await insert(3);
  const failing = pglite.transaction(async () => {
    await insert(4);
    await insert(3);
  });
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  await insert(4);
  expect(await valuesOf("select id from once order by id")).toEqual([1, 2, 3, 4]);
});

it("reads a table's new columns", async () => {
  await statements.run("create table grown (id int)", []);
  await statements.run("insert into grown values (1)", []);
  for (let use = 0; use < 3; use++) expect(await valuesOf("select * from grown")).toEqual([1]);
  await statements.run("alter table grown add column name text default 'new'", []);
  expect(await valuesOf("select * from grown")).toEqual([1, "new"]);
});

it("refuses statements once the database is closed", async () => {
  await pglite.close();
  await expect(statements.run("select 1", [])).rejects.toThrow("PGlite is closed");
});
