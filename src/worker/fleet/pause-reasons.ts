/** Combines the reasons for which a worker takes no more videos: it goes on when none is left. */
import type { PauseReason } from "#contract/settings/system.ts";

export type PauseReasons = {
  /** Says whether a reason holds. */
  set(reason: PauseReason, holds: boolean): void;
  isPaused(): boolean;
  /** The reasons that hold, in the order in which they came. */
  list(): PauseReason[];
  /** Calls back now and whenever the first reason comes or the last one goes. */
  onChange(listener: (isPaused: boolean) => void): void;
};

export function createPauseReasons(): PauseReasons {
  const holding = new Set<PauseReason>();
  const listeners: ((isPaused: boolean) => void)[] = [];
  const isPaused = (): boolean => holding.size > 0;
  return {
    set(reason, holds) {
      const before = isPaused();
      if (holds) holding.add(reason);
      else holding.delete(reason);
      if (isPaused() === before) return;
      for (const listener of listeners) listener(isPaused());
    },
    isPaused,
    list: () => [...holding],
    onChange(listener) {
      listeners.push(listener);
      listener(isPaused());
    },
  };
}
