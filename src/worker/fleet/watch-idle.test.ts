import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPauseReasons } from "./pause-reasons.ts";
import { watchIdle } from "./running-work.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const pause = createPauseReasons();
  const settling = Promise.withResolvers<void>();
  const state = { running: 0, isEnded: false };
  const countRunning = () => state.running;
  const stop = watchIdle({ countRunning, pause, settled: () => settling.promise }, () => (state.isEnded = true));
  return { pause, settling, state, stop };
}

it("ends after ten seconds without a task, and takes none from then on", async () => {
  const { pause, settling, state } = watch();
  await vi.advanceTimersByTimeAsync(9_500);
  state.running = 1;
  await vi.advanceTimersByTimeAsync(60_000);
  state.running = 0;
  await vi.advanceTimersByTimeAsync(9_500);
  expect(pause.list()).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(pause.list()).toEqual(["worker-idle"]);
  // A task claimed at the last moment finishes first.
  expect(state.isEnded).toBe(false);
  settling.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(state.isEnded).toBe(true);
});

it("also ends a worker that is paused, and none that stops", async () => {
  const paused = watch();
  paused.pause.set("queue-paused", true);
  paused.settling.resolve();
  const stopped = watch();
  stopped.settling.resolve();
  stopped.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([paused.state.isEnded, stopped.state.isEnded]).toEqual([true, false]);
});
