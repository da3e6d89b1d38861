import { expect, test } from "vitest";
import { forEachAtOnce } from "./slots.ts";

test("starts items in order, up to the allowed concurrency", async () => {
  const started: number[] = [];
  let [running, most] = [0, 0];
  await forEachAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
  });
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("throws the first failure after calls in progress have ended, and starts no more", async () => {
  const ended: string[] = [];
  const slow = Promise.withResolvers<void>();
  const all = forEachAtOnce(["slow", "failing", "never"], 2, async (item) => {
    if (item === "failing") throw new Error("first");
    await slow.promise;
    ended.push(item);
  });
  slow.resolve();
  await expect(all).rejects.toThrow("first");
  expect(ended).toEqual(["slow"]);
});

test("does nothing for no items", async () => {
  await expect(forEachAtOnce([], 4, () => Promise.reject(new Error("called")))).resolves.toBeUndefined();
});
