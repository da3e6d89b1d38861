import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRefresher } from "./refresh-soon.ts";

const WAIT_MS = 500;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("one refresh serves all requests, and those during it lead to one more", async () => {
  const refreshes: PromiseWithResolvers<void>[] = [];
  const refresher = createRefresher(() => {
    const refresh = Promise.withResolvers<void>();
    refreshes.push(refresh);
    return refresh.promise;
  }, WAIT_MS);
  const requestSome = async () => {
    for (let i = 0; i < 100; i += 1) refresher.request();
    await vi.advanceTimersByTimeAsync(WAIT_MS);
  };
  await requestSome();
  expect(refreshes).toHaveLength(1);
  await requestSome();
  await requestSome();
  expect(refreshes).toHaveLength(1);
  refreshes[0]!.resolve();
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(refreshes).toHaveLength(2);
  refreshes[1]!.resolve();
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(refreshes).toHaveLength(2);
});
