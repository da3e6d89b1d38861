import { expect, test } from "vitest";
import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import { findProblems } from "./set-form.ts";
import type { SetKind } from "../set-kind.ts";

const texts = {
  nameNeeded: "name needed",
  itemsNeeded: "items needed",
  nameTooLong: "name too long",
  tooMany: "too many",
  tooLong: (number: number) => `item ${number} too long`,
} as SetKind["texts"];
const captions = { limits: { items: 10_000, characters: 2_000 }, texts };
const links = { limits: { items: 1_000, characters: 2_000 }, texts };

test("reports missing fields and exceeded limits", () => {
  expect(findProblems({ name: "", items: [] }, captions)).toEqual({
    name: { sentence: "name needed", isEmpty: true },
    items: { sentence: "items needed", isEmpty: true },
  });
  expect(findProblems({ name: "x".repeat(201), items: ["a", "y".repeat(2_001)] }, captions)).toEqual({
    name: { sentence: "name too long", isEmpty: false },
    items: { sentence: "item 2 too long", isEmpty: false },
  });
});

test.each([
  ["at the limits", 200, 2_000, true],
  ["with a longer name", 201, 2_000, false],
  ["with a longer item", 200, 2_001, false],
])("agrees with the contract on a set %s", (_what, nameCharacters, itemCharacters, isFine) => {
  const name = "n".repeat(nameCharacters);
  const items = ["i".repeat(itemCharacters)];
  expect(captionSetSchema.safeParse({ name, captions: items }).success).toBe(isFine);
  expect(Object.keys(findProblems({ name, items }, captions)).length === 0).toBe(isFine);
  expect(audioSetSchema.safeParse({ name, audio_links: items }).success).toBe(isFine);
  expect(Object.keys(findProblems({ name, items }, links)).length === 0).toBe(isFine);
});

test.each([
  ["captions", captions, 10_000],
  ["audio links", links, 1_000],
])("agrees with the contract on the limit of %s", (_what, kind, most) => {
  for (const [count, isFine] of [
    [most, true],
    [most + 1, false],
  ] as const) {
    const items = Array.from({ length: count }, () => "x");
    const schema = kind === captions ? captionSetSchema : audioSetSchema;
    const body = { name: "n", ...(kind === captions ? { captions: items } : { audio_links: items }) };
    expect(schema.safeParse(body).success).toBe(isFine);
    expect(Object.keys(findProblems({ name: "n", items }, kind)).length === 0).toBe(isFine);
  }
});
