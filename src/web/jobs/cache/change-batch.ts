/** Passes added items on together after `waitMs`, so that a burst renders once. */
export type Batch<Item> = { add: (item: Item) => void; stop: () => void };

/** Creates a batch; `waitMs` is in milliseconds from its first item. `stop` drops items not passed on yet. */
export function createBatch<Item>(apply: (items: Item[]) => void, waitMs: number): Batch<Item> {
  let items: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(item) {
      items.push(item);
      timer ??= setTimeout(() => {
        const batch = items;
        items = [];
        timer = undefined;
        apply(batch);
      }, waitMs);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      items = [];
    },
  };
}
