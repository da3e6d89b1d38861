import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { finishInTime } from "./finish-in-time.ts";
import { createPauseReasons } from "./pause-reasons.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Tasks take as many `seconds` as they estimate; undefined is unknown. */
function stop(noticeMs: number, seconds: Record<string, number | undefined>, { isDatabaseAway = false } = {}) {
  const startMs = performance.now();
  const pause = createPauseReasons();
  const running = new Set(Object.keys(seconds));
  const handedBack: string[] = [];
  const remainingMs = (name: string) => startMs + (seconds[name] ?? Infinity) * 1_000 - performance.now();
  const state = { isEnded: false };
  void finishInTime({
    noticeMs,
    pause,
    readRunning: () => {
      for (const name of running) if (remainingMs(name) <= 0) running.delete(name);
      return [...running];
    },
    estimate: async (names) => {
      if (isDatabaseAway) throw new Error("The database is away.");
      const known = names.filter((name) => seconds[name] !== undefined);
      return new Map(known.map((name) => [name, remainingMs(name)]));
    },
    handBack: (name) => {
      running.delete(name);
      handedBack.push(name);
    },
  }).then(() => (state.isEnded = true));
  return { pause, state, handedBack };
}

it("hands back at once what would not end in time, and waits for the rest", async () => {
  const { pause, state, handedBack } = stop(120_000, { short: 60, long: 116, unknown: undefined });
  await vi.advanceTimersByTimeAsync(0);
  expect(pause.list()).toEqual(["worker-stopping"]);
  expect(handedBack).toEqual(["long", "unknown"]);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(state.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(state.isEnded).toBe(true);
});

it("ends five seconds before the machine does, also without the database, and at once without a notice", async () => {
  const away = stop(30_000, { short: 60 }, { isDatabaseAway: true });
  const none = stop(0, { short: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect([away.state.isEnded, none.state.isEnded]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(away.state.isEnded).toBe(true);
  expect([away.handedBack, none.handedBack]).toEqual([[], []]);
});
