/** Preloaded into a program under test (`--import`): shortens timeouts of a minute or longer to a 200th. */
const MIN_MS = 60_000;
const TIMES = 200;

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply(target, self, [act, waitMs, ...rest]: [() => void, number, ...unknown[]]) {
    const shortMs = waitMs >= MIN_MS ? waitMs / TIMES : waitMs;
    return Reflect.apply(target, self, [act, shortMs, ...rest]);
  },
});
