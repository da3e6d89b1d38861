import { setImmediate as nextTurn } from "node:timers/promises";

/** How long a turn of the event loop may take before `giveWay` ends it. */
const TURN_MS = 10;

let turnStartedMs: number | null = null;

/**
 * Call it between the steps of long work. Yields to the event loop if this turn has lasted more than 10 ms since its
 * first call.
 */
export async function giveWay(): Promise<void> {
  if (turnStartedMs === null) {
    turnStartedMs = performance.now();
    void nextTurn().then(() => (turnStartedMs = null));
  } else if (performance.now() - turnStartedMs > TURN_MS) {
    await nextTurn();
  }
}

/** Returns the items in parts of at most `most`. Several parts each start a turn. */
export async function* inParts<Item>(items: readonly Item[], most: number): AsyncGenerator<Item[]> {
  for (let start = 0; start < items.length; start += most) {
    if (items.length > most) await nextTurn();
    yield items.slice(start, start + most);
  }
}
