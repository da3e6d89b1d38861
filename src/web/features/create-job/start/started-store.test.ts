import { beforeEach, expect, it } from "vitest";
import { openStartedStore } from "./started-store.ts";

const FIRST = "7b1c2a34-0000-4000-8000-000000000001";
const SECOND = "7b1c2a34-0000-4000-8000-000000000002";

let stored: Map<string, string>;
const local = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
const open = (owner = "an-operator") => openStartedStore({ owner, local });

beforeEach(() => {
  stored = new Map();
});

it("returns the newest job to all tabs of its account only", () => {
  open().write(FIRST);
  open().write(SECOND);
  expect(open().read()).toBe(SECOND);
  expect(open("another-operator").read()).toBeNull();
});

it("removes a dismissed job, but not one that another tab has started since", () => {
  const tab = open();
  tab.write(FIRST);
  tab.forget(FIRST);
  expect(tab.read()).toBeNull();
  tab.write(FIRST);
  open().write(SECOND);
  tab.forget(FIRST);
  expect(tab.read()).toBe(SECOND);
});

it("ignores a stored value that is not a job's id", () => {
  stored.set("clipmill-started-job/an-operator", "<nonsense>");
  expect(open().read()).toBeNull();
});

it("works if storage is blocked or full", () => {
  const store = openStartedStore({
    owner: "an-operator",
    local: { getItem: closed, setItem: closed, removeItem: closed },
  });
  store.write(FIRST);
  store.forget(FIRST);
  expect(store.read()).toBeNull();
});

function closed(): never {
  throw new DOMException("denied", "SecurityError");
}
