/** By priority: sources of the next videos, then those of an open form. */
const RANKS = ["next", "form"] as const;
export type Rank = (typeof RANKS)[number];

export type BackgroundTurns = {
  /** Runs `act` immediately. No background work starts until it ends. */
  foreground<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Rejects like `act`, or with the signal's reason if that aborts before its turn. */
  background<Result>(rank: Rank, signal: AbortSignal, act: () => Promise<Result>): Promise<Result>;
};

type Waiting = { rank: Rank; admit: () => void };

/** Runs at most `most` background calls, and keeps one slot for "next". */
export function createBackgroundTurns(most: number): BackgroundTurns {
  let inForeground = 0;
  const running: Rank[] = [];
  const waiting: Waiting[] = [];

  const hasPlace = (rank: Rank): boolean =>
    running.length < most && (rank === "next" || running.filter((one) => one === "form").length < most - 1);
  const findNext = (): Waiting | undefined => {
    if (inForeground > 0) return undefined;
    return RANKS.flatMap((rank) => waiting.filter((one) => one.rank === rank && hasPlace(rank)))[0];
  };
  const admitNext = (): void => {
    for (let next = findNext(); next; next = findNext()) {
      waiting.splice(waiting.indexOf(next), 1);
      running.push(next.rank);
      next.admit();
    }
  };
  const leave = (rank: Rank): void => {
    running.splice(running.indexOf(rank), 1);
    admitNext();
  };

  return {
    async foreground(act) {
      inForeground += 1;
      try {
        return await act();
      } finally {
        inForeground -= 1;
        admitNext();
      }
    },
    async background(rank, signal, act) {
      signal.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      const own: Waiting = { rank, admit: turn.resolve };
      const giveUp = (): void => {
        const place = waiting.indexOf(own);
        if (place < 0) return;
        waiting.splice(place, 1);
        turn.reject(signal.reason);
      };
      waiting.push(own);
      signal.addEventListener("abort", giveUp, { once: true });
      admitNext();
      await turn.promise.finally(() => signal.removeEventListener("abort", giveUp));
      try {
        return await act();
      } finally {
        leave(rank);
      }
    },
  };
}
