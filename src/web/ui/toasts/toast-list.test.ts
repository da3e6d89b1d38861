import { beforeEach, expect, test } from "vitest";
import { dismissToast, showToast, toastList } from "./toast-list.ts";

function titles(): string[] {
  return toastList.read().map((toast) => toast.title);
}

beforeEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
});

test("the newest toast stands last", () => {
  showToast({ title: "first" });
  showToast({ title: "second" });
  expect(titles()).toEqual(["first", "second"]);
});

test("a fourth toast sends the oldest away", () => {
  for (const title of ["first", "second", "third", "fourth"]) showToast({ title });
  expect(titles()).toEqual(["second", "third", "fourth"]);
});

test("a destructive toast outstays newer ones that would go by themselves", () => {
  showToast({ title: "failed", variant: "destructive" });
  for (const title of ["second", "third", "fourth"]) showToast({ title });
  expect(titles()).toEqual(["failed", "third", "fourth"]);
});

test("among destructive toasts the oldest gives way, to any new one", () => {
  for (const title of ["first", "second", "third"]) showToast({ title, variant: "destructive" });
  showToast({ title: "fourth" });
  expect(titles()).toEqual(["second", "third", "fourth"]);
});

test("a dismissed toast is gone and listeners hear of it", () => {
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
