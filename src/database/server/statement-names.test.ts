import { expect, it } from "vitest";
import { createStatementNames } from "./statement-names.ts";

/** Returns the name at the tenth use. */
function nameOf(text: string): string | undefined {
  const names = createStatementNames();
  return Array.from({ length: 10 }, () => names(text)).at(-1);
}

it("names a statement that repeats, always the same, and not at its first use", () => {
  const names = createStatementNames();
  expect(names("select id from jobs where id = $1")).toBeUndefined();
  expect(nameOf("select id from jobs where id = $1")).toMatch(/^[\w-]{43}$/);
  expect(nameOf("select id from jobs where id = $1")).toBe(nameOf("select id from jobs where id = $1"));
  expect(nameOf("select id from jobs where id = $2")).not.toBe(nameOf("select id from jobs where id = $1"));
});

it.each([
  ['select * from "jobs" where "id" = $1', false],
  ['update "jobs" set "name" = $1 returning *', false],
  ['select "jobs".* from "jobs" where "id" = $1', false],
  ["select * from report_video($1)", true],
  ["select count(*)::int from jobs where id = $1", true],
  ["select 2 * $1::int", true],
])("leaves out what reads all columns of a table, which a migration may change: %s", (text, isNamed) => {
  expect(nameOf(text) !== undefined).toBe(isNamed);
});

it("names a limited number of statements, whatever the lists in them", () => {
  const names = createStatementNames();
  const named = new Set<string | undefined>();
  for (let use = 0; use < 10; use++) {
    for (let i = 0; i < 500; i++) named.add(names(`select id from jobs where id in (${i})`));
  }
  named.delete(undefined);
  expect(named.size).toBe(100);
});
