import { repeat } from "#ground/repeat.ts";

export type TaskSlots = {
  /** Running tasks finish. */
  setPaused(isPaused: boolean): void;
  /** Running tasks above the new count finish. */
  setCount(count: number): void;
  /** Resolves once the latest settings apply: after a pause, when nothing runs. */
  settled(): Promise<void>;
};

type Options<Task> = {
  claim: () => Promise<Task | null>;
  /** Never rejects. */
  run: (task: Task) => Promise<void>;
  signal: AbortSignal;
  onError: (error: Error) => void;
};

/** Claims tasks one by one, when a slot becomes free and at each `wake`. */
export function openTaskSlots<Task>(
  { claim, run, signal, onError }: Options<Task>,
  first: { count: number; isPaused: boolean },
): TaskSlots & { wake(): void; isFull(): boolean } {
  let { count, isPaused } = first;
  const running = new Set<Promise<void>>();

  const isFree = (): boolean => !isPaused && !signal.aborted && running.size < count;
  const fill = async (): Promise<void> => {
    for (let task = isFree() ? await claim() : null; task !== null; task = isFree() ? await claim() : null) start(task);
  };
  const start = (task: Task): void => {
    const done = run(task).finally(() => {
      running.delete(done);
      wake();
    });
    running.add(done);
  };
  const filling = repeat(fill, { everyMs: Infinity, firstMs: Infinity, signal, onError });
  const wake = (): void => {
    if (isFree()) filling.notify();
  };
  wake();
  return {
    wake,
    isFull: () => running.size > 0 && running.size >= count,
    setPaused(next) {
      isPaused = next;
      wake();
    },
    setCount(next) {
      count = next;
      wake();
    },
    async settled() {
      for (;;) {
        await filling.settled();
        if (running.size <= (isPaused || signal.aborted ? 0 : count)) return;
        await Promise.race(running);
      }
    },
  };
}
