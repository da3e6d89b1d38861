import { endWithFault } from "./end-with-fault.ts";

/** One Ctrl-C can arrive several times, from the terminal, npm and the launcher; a later signal is a second one. */
const ECHO_MS = 1_000;

/** Stops on the first signal, exits on a second one. Returns a function that acts like the first. */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  let firstMs: number | null = null;
  const handle = (exitCode: number): void => {
    if (firstMs !== null) {
      if (performance.now() - firstMs > ECHO_MS) process.exit(exitCode);
      return;
    }
    firstMs = performance.now();
    stop().then(() => process.exit(0), endWithFault);
  };
  process.on("SIGINT", () => handle(130));
  process.on("SIGTERM", () => handle(143));
  return () => handle(0);
}
