/** Combines the reasons to pause a worker. It resumes when none is left. */
import type { PauseReason } from "#contract/settings/system.ts";

export type PauseReasons = {
  /** Adds or removes a reason. */
  set(reason: PauseReason, holds: boolean): void;
  isPaused(): boolean;
  /** Returns the current reasons, oldest first. */
  list(): PauseReason[];
  /** Calls back immediately, when the first reason is added, and when the last one is removed. */
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
