import { endWithFault } from "./end-with-fault.ts";

/**
 * One Ctrl-C may arrive several times: the terminal sends it to everybody, and npm and the launcher each pass it on. So
 * only a signal that comes later than this is a second one.
 */
const ECHO_MS = 1_000;

/** The first signal stops cleanly; a second one ends the process at once. Returns what does as the first one. */
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
