import { beforeEach, expect, test } from "vitest";
import { dismissToast, showToast, toastList } from "./toast-list.ts";

function titles(): string[] {
  return toastList.read().map((toast) => toast.title);
}

beforeEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
});

test("the newest toast is last", () => {
  showToast({ title: "first" });
  showToast({ title: "second" });
  expect(titles()).toEqual(["first", "second"]);
});

test("a fourth toast removes the oldest", () => {
  for (const title of ["first", "second", "third", "fourth"]) showToast({ title });
  expect(titles()).toEqual(["second", "third", "fourth"]);
});

test("a destructive toast outlives newer ones that expire", () => {
  showToast({ title: "failed", variant: "destructive" });
  for (const title of ["second", "third", "fourth"]) showToast({ title });
  expect(titles()).toEqual(["failed", "third", "fourth"]);
});

test("any new toast replaces the oldest of the destructive ones", () => {
  for (const title of ["first", "second", "third"]) showToast({ title, variant: "destructive" });
  showToast({ title: "fourth" });
  expect(titles()).toEqual(["second", "third", "fourth"]);
});

test("a dismissed toast is removed and listeners are notified", () => {
  showToast({ title: "only" });
  let calls = 0;
  const stop = toastList.subscribe(() => {
    calls += 1;
  });
  for (const toast of toastList.read()) dismissToast(toast.id);
  stop();
  showToast({ title: "unheard" });
  expect(calls).toBe(1);
  expect(titles()).toEqual(["unheard"]);
});
