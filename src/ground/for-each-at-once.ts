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
