import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFormPrefetch } from "./form-prefetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function recorded(result = true) {
  const calls: string[] = [];
  const prefetch = createFormPrefetch(async (links) => {
    calls.push(links.join(" "));
    return result;
  });
  return { calls, prefetch };
}

it("sends a link once it has stood for two seconds, and the list again while the form is open", async () => {
  const { calls, prefetch } = recorded();
  prefetch.want(["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  prefetch.want(["a", "b"]);
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toEqual(["a", "a b"]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(calls).toEqual(["a", "a b", "a b"]);
});

it("sends a shorter list at once, keeps the order, and lets an empty list lapse", async () => {
  const { calls, prefetch } = recorded();
  prefetch.want(["a", "b", "c"]);
  await vi.advanceTimersByTimeAsync(2_000);
  prefetch.want(["c", "a"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toEqual(["a b c", "c a"]);
  prefetch.want([]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(calls).toHaveLength(2);
});

it("sends at most 100 links, and stops when calls are in vain or the form closes", async () => {
  const many = Array.from({ length: 150 }, (_, index) => `link-${index}`);
  const off = recorded(false);
  off.prefetch.want(many);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(off.calls.map((call) => call.split(" ").length)).toEqual([100]);
  const { calls, prefetch } = recorded();
  prefetch.want(["a"]);
  prefetch.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(calls).toEqual([]);
});
