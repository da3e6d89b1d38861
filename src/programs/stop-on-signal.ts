import { endWithError } from "./end-with-error.ts";

/** One Ctrl-C can arrive several times, from the terminal, npm and the launcher; a later signal is a second one. */
const ECHO_MS = 1_000;

/** npx sends signals to a shell, which ends without passing them on. `npm start` replaces its shell. */
const IS_STARTED_BY_NPX = process.env.npm_lifecycle_event === "npx";
const PARENT_CHECK_MS = 1_000;
const parent = process.ppid;

/** Stops on the first signal, exits on a second one. Returns a function that acts like the first. */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  let firstMs: number | null = null;
  const handle = (exitCode: number): void => {
    if (firstMs !== null) {
      if (performance.now() - firstMs > ECHO_MS) process.exit(exitCode);
      return;
    }
    firstMs = performance.now();
    stop().then(() => process.exit(0), endWithError);
  };
  process.on("SIGINT", () => handle(130));
  process.on("SIGTERM", () => handle(143));
  if (IS_STARTED_BY_NPX) stopWithParent(() => firstMs === null && handle(0));
  return () => handle(0);
}

function stopWithParent(stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
}
