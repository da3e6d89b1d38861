import * as fc from "fast-check";
import { expect, it } from "vitest";
import { requireParsable } from "./read-json.ts";

/** Returns the problem, or null. */
const measure = (json: string) =>
  requireParsable(new TextEncoder().encode(json)).then(
    () => null,
    (error: Error) => error.message,
  );

it("accepts any ordinary JSON, and text that is not JSON", async () => {
  const text = fc.string({ unit: fc.constantFrom('"', "\\", ",", ":", "[", "{", "}", "]", "é", "a") });
  const value = fc.oneof(fc.jsonValue(), fc.array(text), fc.dictionary(text, text));
  const json = fc.oneof(
    value.map((inner) => JSON.stringify(inner)),
    text,
  );
  await fc.assert(
    fc.asyncProperty(json, async (given) => {
      expect(await measure(given)).toBeNull();
    }),
  );
});

it.each([
  ["structure in a text", JSON.stringify({ x: '",:[{\\'.repeat(300_000) }), null],
  [
    "10,000 rows",
    JSON.stringify({ rows: Array.from({ length: 10_000 }, () => ({ a: { b: [1, 2] }, c: { d: "e" } })) }),
    null,
  ],
  ["nested lists", "[".repeat(101), "more than 100 levels"],
  ["empty lists", `[${"[],".repeat(200_000)}0]`, "more than 200,000 lists and objects"],
  ["values", `[${"0,".repeat(1_000_000)}0]`, "more than 1,000,000 values"],
  ["fields of an object", `{${'"a":0,'.repeat(1_000)}"b":0}`, "more than 1,000 fields in one object"],
  ["fields", `[${`{${'"a":0,'.repeat(999)}"b":0},`.repeat(401)}0]`, "more than 400,000 fields"],
  ["a text that does not end", `["${",".repeat(2_000_000)}`, null],
])("counts what takes long to parse: %s", async (_, json, problem) => {
  expect((await measure(json)) ?? "").toContain(problem ?? "");
  expect(await measure(json)).toSatisfy((found) => (found === null) === (problem === null));
});
