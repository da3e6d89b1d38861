/** Renders a burst once. */
export type Batch<Item> = { add: (item: Item) => void; stop: () => void };

/** `apply` runs `waitMs` after a batch's first item. `stop` drops pending items. */
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
