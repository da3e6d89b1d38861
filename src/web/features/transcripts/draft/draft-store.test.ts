import { expect, test } from "vitest";
import { memoryStorage } from "#tests/support/memory-storage.ts";
import { testLines } from "../test-lines.ts";
import { type Draft, openDraftStore } from "./draft-store.ts";

const patch = { at: 0, removed: testLines("a"), inserted: testLines("b") };
const DRAFT: Draft = {
  ...{ revision: 3, unsaved: [patch], undone: [], isContested: false },
  done: [{ patches: [patch], place: { line: 0, word: 0 } }],
};
const DAY_MS = 24 * 60 * 60 * 1_000;

const keysOf = (local: Storage) => Array.from({ length: local.length }, (_, index) => local.key(index)!);

test("keeps a draft by account and transcript, until nothing is left to undo", () => {
  const local = memoryStorage();
  const open = (owner: string, id: string) => openDraftStore({ owner, id, local });
  expect(open("one", "a").write(DRAFT)).toBe(true);
  expect(open("one", "a").read()).toEqual(DRAFT);
  expect(open("one", "b").read()).toBeNull();
  expect(open("other", "a").read()).toBeNull();
  open("one", "a").write({ ...DRAFT, unsaved: [], done: [] });
  expect(keysOf(local)).toEqual([]);
});

test.each(["{", "null", '{"version":0}', JSON.stringify({ version: 1, savedAt: 1, ...DRAFT, done: 7 })])(
  "ignores a damaged draft: %s",
  (text) => {
    const local = memoryStorage();
    openDraftStore({ owner: "one", id: "a", local }).write(DRAFT);
    local.setItem(keysOf(local)[0]!, text);
    expect(openDraftStore({ owner: "one", id: "a", local }).read()).toBeNull();
  },
);

test("drops old drafts for new ones, but keeps those with unsaved edits for 30 days", () => {
  const local = memoryStorage();
  let now = 1_000 * DAY_MS;
  const open = (id: string) => openDraftStore({ owner: "one", id, local, now: () => now });
  open("unsaved").write(DRAFT);
  for (let i = 0; i < 20; i++) {
    now += 1;
    open(`saved ${i}`).write({ ...DRAFT, unsaved: [] });
  }
  expect(open("unsaved").read()).toEqual(DRAFT);
  expect(open("saved 19").read()).not.toBeNull();
  expect(keysOf(local).length).toBeLessThan(12);
  now += 31 * DAY_MS;
  expect(open("unsaved").read()).toBeNull();
});
