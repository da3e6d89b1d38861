import type { PauseReason } from "#contract/settings/system.ts";

export type PauseReasons = {
  set(reason: PauseReason, holds: boolean): void;
  isPaused(): boolean;
  /** Oldest first. */
  list(): PauseReason[];
  /** Calls back immediately and when pausing starts or ends. */
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
