import type { PGlite } from "@electric-sql/pglite";
import { ClipmillError } from "#contract/errors.ts";

const STOPPED =
  "The database stopped because its disk is full or failing. Saved data is safe. Free some space, then start Clipmill again.";

/**
 * Rejects all access to the embedded PostgreSQL after a panic, for example when it cannot write its log: later queries
 * would block the process forever. Calls `onStopped` then. The returned function reports whether it has stopped.
 */
export function stopOnPanic(pglite: PGlite, onStopped: (fault: ClipmillError) => void): () => boolean {
  let panic: unknown = null;
  // A new one each time, because the queue modifies errors it catches.
  const explain = () => new ClipmillError("unavailable", STOPPED, { cause: panic });
  const guard = <Arguments extends unknown[], Result>(run: (...rest: Arguments) => Promise<Result>) => {
    return async (...rest: Arguments): Promise<Result> => {
      if (panic) throw explain();
      try {
        return await run(...rest);
      } catch (cause) {
        if (!isPanic(cause)) throw cause;
        panic = cause;
        onStopped(explain());
        throw explain();
      }
    };
  };
  pglite.execProtocol = guard(pglite.execProtocol.bind(pglite));
  pglite.execProtocolStream = guard(pglite.execProtocolStream.bind(pglite));
  pglite.execProtocolRaw = guard(pglite.execProtocolRaw.bind(pglite));
  return () => panic !== null;
}

/** Returns true for a PANIC response, or the WebAssembly crash if PostgreSQL could not send one. */
function isPanic(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  return error instanceof Error && "severity" in error && error.severity === "PANIC";
}
