import { beforeEach, describe, expect, it } from "vitest";
import { openDraftStore, type DraftStore } from "./draft-store.ts";
import { EMPTY_FORM, type JobForm } from "./job-form.ts";
import { memoryStorage } from "#tests/support/memory-storage.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
let time = 1_000_000_000_000;
let local = memoryStorage();

function openTab(session = memoryStorage(), owner = "an-operator"): DraftStore & { session: Storage } {
  return { ...openDraftStore({ owner, local, session, now: () => time }), session };
}

function duplicate(session: Storage): Storage {
  return memoryStorage(Object.fromEntries(keysOf(session).map((key) => [key, session.getItem(key)!])));
}

function keysOf(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
}

function named(jobName: string): JobForm {
  return { ...EMPTY_FORM, jobName };
}

beforeEach(() => {
  local = memoryStorage();
  time += DAY_MS;
});

it("restores a tab's own draft after a reload", () => {
  const tab = openTab();
  expect(tab.read()).toBeNull();
  expect(tab.write(named("First"))).toBe(true);
  expect(openTab(tab.session).read()).toEqual(named("First"));
});

it("gives a new tab the newest draft of its account only", () => {
  const tab = openTab();
  tab.read();
  tab.write(named("First"));
  expect(openTab().read()).toEqual(named("First"));
  expect(openTab(undefined, "another-operator").read()).toBeNull();
});

describe("two tabs", () => {
  it("keep separate drafts", () => {
    const [one, other] = [openTab(), openTab()];
    one.read();
    one.write(named("One"));
    expect(other.read()).toEqual(named("One"));
    other.write(named("Other"));
    one.write(named("One more"));
    expect(openTab(one.session).read()).toEqual(named("One more"));
    expect(openTab(other.session).read()).toEqual(named("Other"));
  });

  it("get separate slots if one is a duplicate of the other", () => {
    const one = openTab();
    one.read();
    one.write(named("One"));
    const copy = openTab(duplicate(one.session));
    copy.read();
    one.write(named("One more"));
    copy.write(named("Copy"));
    expect(openTab(one.session).read()).toEqual(named("One more"));
    expect(openTab(copy.session).read()).toEqual(named("Copy"));
  });

  it("keep the other's draft when one starts its job", () => {
    const [one, other] = [openTab(), openTab()];
    one.read();
    one.write(named("One"));
    other.read();
    one.write(named("One more"));
    other.remove();
    expect(openTab(one.session).read()).toEqual(named("One more"));
  });
});

it("removes a started draft together with the closed tab's draft it was copied from", () => {
  const closed = openTab();
  closed.read();
  closed.write(named("First"));
  const tab = openTab();
  tab.read();
  tab.write(named("First"));
  tab.remove();
  expect(openTab(tab.session).read()).toBeNull();
  expect(openTab().read()).toBeNull();
});

it.each([
  ["no JSON", "{"],
  ["another version", JSON.stringify({ version: 0, revision: "a", savedAt: 1, form: EMPTY_FORM })],
  ["a missing field", JSON.stringify({ version: 1, revision: "a", savedAt: 1, form: { jobName: "A" } })],
  ["a field too many", stored({ ...EMPTY_FORM, extra: 1 })],
  ["a wrong type", stored({ ...EMPTY_FORM, captions: 7 })],
  ["a choice that is none", stored({ ...EMPTY_FORM, quality: "best" })],
  ["a volume that is none", stored({ ...EMPTY_FORM, musicGain: 7 })],
  ["a damaged generator", stored({ ...EMPTY_FORM, generator: null })],
])("removes an unreadable draft: %s", (_, text) => {
  const tab = openTab();
  tab.read();
  tab.write(named("First"));
  const key = keysOf(local)[0]!;
  local.setItem(key, text);
  expect(openTab(tab.session).read()).toBeNull();
  expect(openTab().read()).toBeNull();
  expect(local.getItem(key)).toBeNull();
});

it("keeps an older draft, which lacks the preset's version", () => {
  const tab = openTab();
  tab.read();
  tab.write(named("First"));
  const key = keysOf(local)[0]!;
  local.setItem(key, local.getItem(key)!.replace(',"presetVersion":""', ""));
  expect(local.getItem(key)).not.toContain("presetVersion");
  expect(openTab(tab.session).read()).toEqual(named("First"));
});

it("removes a draft that is too large, and saves a smaller one again", () => {
  const tab = openTab();
  tab.read();
  tab.write(named("First"));
  expect(tab.write(named("x".repeat(1_000_001)))).toBe(false);
  expect(openTab(tab.session).read()).toBeNull();
  expect(tab.write(named("Second"))).toBe(true);
  expect(openTab(tab.session).read()).toEqual(named("Second"));
});

it("keeps a few drafts of closed tabs for 30 days", () => {
  for (let count = 1; count <= 6; count += 1) {
    const tab = openTab();
    tab.read();
    time += 1;
    tab.write(named(`Draft ${count}`));
  }
  expect(keysOf(local).length).toBeLessThanOrEqual(5);
  expect(openTab().read()).toEqual(named("Draft 6"));
  time += 31 * DAY_MS;
  expect(openTab().read()).toBeNull();
  expect(keysOf(local)).toEqual([]);
});

it("works without storage access", () => {
  const closed = memoryStorage();
  closed.getItem = () => {
    throw new DOMException("closed", "SecurityError");
  };
  const store = openDraftStore({ owner: "an-operator", local: closed, session: closed });
  expect(store.read()).toBeNull();
  expect(store.write(EMPTY_FORM)).toBe(false);
  store.remove();
});

function stored(form: unknown): string {
  return JSON.stringify({ version: 1, revision: "a", savedAt: 2_000_000_000_000, form });
}
