import type { PausableWorker } from "./pausable-worker.ts";

/** A queue's workers in one process, one per concurrent task. */
export type WorkerSlots = {
  /** Running tasks finish. */
  setPaused(isPaused: boolean): void;
  /** Running tasks above the new number finish. */
  setCount(count: number): void;
  /** Resolves once the latest settings are in effect: after a pause, when nothing runs. */
  settled(): Promise<void>;
};

type Slot = { worker: PausableWorker; isBusy: boolean; isRetired: boolean };

/** Workers made by `createWorker` must execute their tasks through `run`. */
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
    // Surplus busy slots retire in the order in which they finish.
    const idle = serving.filter((slot) => !slot.isBusy);
    for (const slot of idle.slice(0, Math.max(serving.length - count, 0))) slot.isRetired = true;
    for (const slot of retired.slice(0, Math.max(count - serving.length, 0))) slot.isRetired = false;
    while (slots.length < count) addSlot();
    for (const slot of slots) slot.worker.setPaused(isPaused || slot.isRetired);
  };
  adjust();
  return {
    setPaused(next) {
      isPaused = next;
      adjust();
    },
    setCount(next) {
      count = next;
      adjust();
    },
    settled: async () => void (await Promise.all(slots.map((slot) => slot.worker.settled()))),
  };
}
