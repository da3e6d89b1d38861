import { beforeEach, expect, it } from "vitest";
import { openStartedStore } from "./started-store.ts";

const FIRST = "7b1c2a34-0000-4000-8000-000000000001";
const SECOND = "7b1c2a34-0000-4000-8000-000000000002";

let held: Map<string, string>;
const local = {
  getItem: (key: string) => held.get(key) ?? null,
  setItem: (key: string, value: string) => void held.set(key, value),
  removeItem: (key: string) => void held.delete(key),
};
const open = (owner = "an-operator") => openStartedStore({ owner, local });

beforeEach(() => {
  held = new Map();
});

it("gives the newest job back to any tab of the account, and none to another account", () => {
  open().write(FIRST);
  open().write(SECOND);
  expect(open().read()).toBe(SECOND);
  expect(open("another-operator").read()).toBeNull();
});

it("forgets a dismissed job, but not one that another tab started since", () => {
  const tab = open();
  tab.write(FIRST);
  tab.forget(FIRST);
  expect(tab.read()).toBeNull();
  tab.write(FIRST);
  open().write(SECOND);
  tab.forget(FIRST);
  expect(tab.read()).toBe(SECOND);
});

it("takes nothing for a job that is no job's id", () => {
  held.set("clipmill-started-job/an-operator", "<nonsense>");
  expect(open().read()).toBeNull();
});

it("does without storage that is closed or full", () => {
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
