export type Slots = {
  /**
   * Waits for `size` free slots and returns their release function: lower ranks first (default 0), then first come,
   * first served. A request above the total runs alone. Throws the signal's reason.
   */
  take(size: number, signal?: AbortSignal, rank?: number): Promise<() => void>;
  countWaiting(): number;
};

export function createSlots(most: number): Slots {
  let used = 0;
  const waiting: { size: number; rank: number; admit: () => void }[] = [];
  const admitNext = () => {
    while (waiting[0] && (used === 0 || used + waiting[0].size <= most)) {
      const { size, admit } = waiting.shift()!;
      used += size;
      admit();
    }
  };
  return {
    countWaiting: () => waiting.length,
    async take(size, signal, rank = 0) {
      signal?.throwIfAborted();
      const admitted = Promise.withResolvers<void>();
      const request = { size, rank, admit: admitted.resolve };
      const leave = () => {
        const place = waiting.indexOf(request);
        if (place >= 0) waiting.splice(place, 1);
        admitted.reject(signal?.reason);
        admitNext();
      };
      const behind = waiting.findIndex((other) => other.rank > rank);
      waiting.splice(behind < 0 ? waiting.length : behind, 0, request);
      admitNext();
      signal?.addEventListener("abort", leave, { once: true });
      await admitted.promise.finally(() => signal?.removeEventListener("abort", leave));
      return () => {
        used -= size;
        admitNext();
      };
    },
  };
}

/** Runs `act` after all earlier calls have settled. Rejects as `act` does. */
type InTurn = <Result>(act: () => Promise<Result>) => Promise<Result>;

export function createTurns(): InTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = turn.then(act);
    turn = done.catch(() => {});
    return done;
  };
}

/**
 * Calls `act` in order, up to `atOnce` at the same time. After a failure, starts no more, and throws it when calls in
 * progress have ended.
 */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && failures.length === 0; next = waiting.next()) {
      await act(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  if (failures.length > 0) throw failures[0];
}
