import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pauseAfter, repeat, retry } from "./repeat.ts";

const unexpected = (error: Error) => expect.unreachable(error.message);

describe("repeat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs now and after each pause, or after the one that the task returns", async () => {
    const runs: number[] = [];
    const startMs = performance.now();
    const task = async () => {
      runs.push(performance.now() - startMs);
      return runs.length === 2 ? 5_000 : undefined;
    };
    const repeated = repeat(task, { everyMs: 1_000, onError: unexpected });
    await vi.advanceTimersByTimeAsync(8_000);
    expect(runs).toEqual([0, 1_000, 6_000, 7_000, 8_000]);
    await repeated.stop();
    await vi.advanceTimersByTimeAsync(8_000);
    expect(runs).toHaveLength(5);
  });

  it("combines requests during a run into one more run", async () => {
    let runs = 0;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const repeated = repeat(() => gates[runs++]?.promise ?? Promise.resolve(), {
      everyMs: Infinity,
      firstMs: Infinity,
      onError: unexpected,
    });
    expect(runs).toBe(0);
    for (let i = 0; i < 3; i += 1) repeated.notify();
    expect(runs).toBe(1);
    gates[0]!.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toBe(2);
    let isSettled = false;
    void repeated.settled().then(() => (isSettled = true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ runs, isSettled }).toEqual({ runs: 2, isSettled: false });
    gates[1]!.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect({ runs, isSettled }).toEqual({ runs: 2, isSettled: true });
  });

  it("counts failures in a row, and reports the recovery", async () => {
    const events: string[] = [];
    let runs = 0;
    const task = async () => {
      runs += 1;
      if (runs === 2 || runs === 3) throw new Error("no connection");
    };
    const repeated = repeat(task, {
      everyMs: 1_000,
      onError: ({ message }, failures) => void events.push(`${message} ${failures}`),
      onRecovered: () => void events.push(`again at ${runs}`),
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(["no connection 1", "no connection 2", "again at 4"]);
    await repeated.stop();
  });

  it("aborts a run at the end, waits for it and ignores its error", async () => {
    const ending = new AbortController();
    let isAborted = false;
    const task = async (signal: AbortSignal): Promise<void> => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      isAborted = true;
      throw new Error("aborted");
    };
    const repeated = repeat(task, { everyMs: 1_000, signal: ending.signal, onError: unexpected });
    ending.abort();
    await repeated.stop();
    repeated.notify();
    expect(isAborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each(Array.from({ length: 12 }, (_, turns) => turns))(
  "runs again if notified %s microtasks before or after the end of a run",
  async (turns) => {
    let runs = 0;
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
    const repeated = repeat(
      async () => {
        runs += 1;
        await isDone;
      },
      { everyMs: Infinity, onError: unexpected },
    );
    finish();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    repeated.notify();
    await setImmediate();
    expect(runs).toBe(2);
  },
);

it("doubles pauses up to the longest", () => {
  const pauses = { firstMs: 1_000, mostMs: 60_000 };
  expect([1, 2, 3, 6, 7, 99].map((failures) => pauseAfter(failures, pauses))).toEqual([
    ...[1_000, 2_000, 4_000, 32_000, 60_000, 60_000],
  ]);
});

it("retries until success, a useless error or the end", async () => {
  let calls = 0;
  const failing = async () => {
    calls += 1;
    if (calls < 4) throw new Error(`failure ${calls}`);
    return calls;
  };
  const pauses = { firstMs: 1, mostMs: 2 };
  expect(await retry(failing, { ...pauses, onError: () => {} })).toBe(4);
  await expect(
    retry(() => Promise.reject(new Error("useless")), {
      ...pauses,
      onError: (error) => {
        throw error;
      },
    }),
  ).rejects.toThrow("useless");
  const signal = AbortSignal.abort(new Error("the end"));
  calls = 0;
  await expect(retry(failing, { ...pauses, signal, onError: () => {} })).rejects.toThrow("aborted");
  expect(calls).toBe(1);
});
