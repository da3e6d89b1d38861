/** Preloaded into a program under test (`--import`): what it waits a minute or longer for comes in a 200th of that time. */
const LEAST_MS = 60_000;
const TIMES = 200;

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply(target, self, [act, waitMs, ...rest]: [() => void, number, ...unknown[]]) {
    const shortMs = waitMs >= LEAST_MS ? waitMs / TIMES : waitMs;
    return Reflect.apply(target, self, [act, shortMs, ...rest]);
  },
});
