import { setTimeout as delay } from "node:timers/promises";

export type Repeat = {
  /** Runs the task now, or again after the run in progress. */
  notify: () => void;
  /** Resolves when no run is in progress or requested. */
  settled: () => Promise<void>;
  /** Ends the repetition and resolves after the run in progress. */
  stop: () => Promise<void>;
};

type Options = {
  /** The pause after a run. Infinity waits for `notify`. */
  everyMs: number;
  /** Before the first run, by default 0. Infinity waits for `notify`. */
  firstMs?: number;
  /** Ends the repetition, like `stop`. */
  signal?: AbortSignal;
  /** `failures` counts the failed runs in a row. Not called for a run that fails after the end. */
  onError: (error: Error, failures: number) => void;
  /** After the first run that succeeds again. */
  onRecovered?: () => void;
};

/**
 * Runs `task` again and again, never twice at the same time. Requests during a run lead to one more run. `task` may
 * return another pause, in milliseconds; its signal aborts at the end. Pauses do not keep the process running.
 */
export function repeat(
  task: (signal: AbortSignal) => Promise<number | void>,
  { everyMs, firstMs = 0, signal: outer, onError, onRecovered }: Options,
): Repeat {
  const stopping = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stopping.signal]) : stopping.signal;
  const state = { isRunning: false, running: Promise.resolve() };
  let isRequested = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const runOnce = async (): Promise<number> => {
    try {
      const pauseMs = (await task(signal)) ?? everyMs;
      if (failures > 0) onRecovered?.();
      failures = 0;
      return pauseMs;
    } catch (error) {
      if (!signal.aborted) onError(error as Error, ++failures);
      return everyMs;
    }
  };
  const run = async (): Promise<void> => {
    state.isRunning = true;
    isRequested = false;
    const pauseMs = await runOnce();
    state.isRunning = false;
    if (isRequested) notify();
    else runIn(pauseMs);
  };
  const runIn = (ms: number): void => {
    if (!signal.aborted && ms !== Infinity) timer = setTimeout(notify, ms).unref();
  };
  const notify = (): void => {
    if (signal.aborted) return;
    clearTimeout(timer);
    isRequested = true;
    if (!state.isRunning) state.running = run();
  };
  const settled = async (): Promise<void> => {
    while (state.isRunning) await state.running;
  };

  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  if (firstMs === 0) notify();
  else runIn(firstMs);
  return {
    notify,
    settled,
    async stop() {
      stopping.abort();
      await settled();
    },
  };
}

export type Pauses = { firstMs: number; mostMs: number };

/** The pause after so many failures in a row: doubles from `firstMs` up to `mostMs`. */
export function pauseAfter(failures: number, { firstMs, mostMs }: Pauses): number {
  return Math.min(firstMs * 2 ** (failures - 1), mostMs);
}

/**
 * Calls `act` until it succeeds, with growing pauses. `onError` throws if it is useless to retry. Tries at least once,
 * then rejects with the signal's reason.
 */
export async function retry<Result>(
  act: () => Promise<Result>,
  { signal, onError, ...pauses }: Pauses & { signal?: AbortSignal; onError: (error: Error) => void },
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      onError(error as Error);
      await delay(pauseAfter(failures, pauses), undefined, { signal });
    }
  }
}
