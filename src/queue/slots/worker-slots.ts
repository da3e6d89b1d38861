import type { PausableWorker } from "./pausable-worker.ts";

/** The workers of a queue in one process, one for each task that may run at once. */
export type WorkerSlots = {
  /** Takes no more tasks while true; those that run are finished. */
  setPaused(isPaused: boolean): void;
  /** How many tasks may run at once from now on. When fewer than now, those that run are finished. */
  setCount(count: number): void;
  /** Resolves once all is as was asked last: after a pause, when nothing runs any more. */
  settled(): Promise<void>;
};

type Slot = { worker: PausableWorker; isBusy: boolean; isRetired: boolean };

/** Opens `count` of them. `createWorker` makes one, which is to do its tasks by `run`. */
export function openWorkerSlots(
  createWorker: (run: (act: () => Promise<void>) => Promise<void>) => PausableWorker,
  first: { count: number; isPaused: boolean },
): WorkerSlots {
  let { count, isPaused } = first;
  const slots: Slot[] = [];

  const addSlot = (): void => {
    const run = async (act: () => Promise<void>): Promise<void> => {
      slot.isBusy = true;
      try {
        await act();
      } finally {
        slot.isBusy = false;
        adjust();
      }
    };
    const slot: Slot = { worker: createWorker(run), isBusy: false, isRetired: false };
    slots.push(slot);
  };
  const adjust = (): void => {
    const serving = slots.filter((slot) => !slot.isRetired);
    const retired = slots.filter((slot) => slot.isRetired);
    // Too many that are busy go one by one, as they finish: whichever is first.
    const idle = serving.filter((slot) => !slot.isBusy);
    for (const slot of idle.slice(0, Math.max(serving.length - count, 0))) slot.isRetired = true;
    for (const slot of retired.slice(0, Math.max(count - serving.length, 0))) slot.isRetired = false;
    while (slots.length < count) addSlot();
    for (const slot of slots) slot.worker.setPaused(isPaused || slot.isRetired);
  };
  adjust();
  return {
    setPaused(wanted) {
      isPaused = wanted;
      adjust();
    },
    setCount(wanted) {
      count = wanted;
      adjust();
    },
    settled: async () => void (await Promise.all(slots.map((slot) => slot.worker.settled()))),
  };
}
