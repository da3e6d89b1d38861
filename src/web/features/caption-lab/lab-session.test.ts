import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY_SESSION, type LabSession, restoreSession, saveSession } from "./lab-session.ts";

const HOUR_MS = 60 * 60 * 1_000;
const SESSION: LabSession = {
  videoLinks: "https://drive.google.com/file/d/abc/view",
  generating: true,
  generatedCaptions: [
    { link: "a", name: null, status: "Completed", stage: null, caption: "Tea", error: null },
    { link: "b", name: null, status: "Failed", stage: null, caption: null, error: "Gone" },
  ],
  currentProgress: "Analyzing video 1/2...",
  batchId: "an id",
};
const kept = new Map<string, string>();
const store = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

beforeEach(() => kept.clear());

describe("a session in the browser", () => {
  // spec 4.6.1, 9.15
  it("is restored within 24 hours, no longer generating", () => {
    saveSession(store, "me", SESSION, 0);
    expect(restoreSession(store, "me", 24 * HOUR_MS - 1)).toEqual({ ...SESSION, generating: false });
  });

  // spec 3.7
  it("keeps the fields of SPEC and the time of the save", () => {
    saveSession(store, "me", SESSION, 42);
    expect(JSON.parse([...kept.values()][0]!)).toEqual({ ...SESSION, timestamp: 42 });
  });

  // spec 4.6.2, 9.15
  it("is dropped when it is older or from the future", () => {
    for (const now of [24 * HOUR_MS, -1]) {
      saveSession(store, "me", SESSION, 0);
      expect(restoreSession(store, "me", now)).toBeNull();
      expect(kept.size).toBe(0);
    }
  });

  it("belongs to one account", () => {
    saveSession(store, "me", SESSION, 0);
    expect(restoreSession(store, "you", 1)).toBeNull();
  });

  it("is removed when it is empty", () => {
    saveSession(store, "me", SESSION, 0);
    saveSession(store, "me", EMPTY_SESSION, 0);
    expect(kept.size).toBe(0);
  });

  it.each([
    "nonsense",
    "{}",
    "[]",
    '{"timestamp":1,"videoLinks":"","currentProgress":"","batchId":null,"generatedCaptions":[1]}',
  ])("is not restored from %s", (text) => {
    kept.set("clipmill-caption-lab/me", text);
    expect(restoreSession(store, "me", 2)).toBeNull();
  });

  it("does not break the screen when storage is full", () => {
    const full = {
      ...store,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    expect(() => saveSession(full, "me", SESSION)).not.toThrow();
  });
});
