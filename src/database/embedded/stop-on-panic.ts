import type { PGlite } from "@electric-sql/pglite";
import { ClipmillError } from "#contract/errors.ts";

const STOPPED =
  "The database stopped because its disk is full or failing. Saved data is safe. Free some space, then start Clipmill again.";

/**
 * After a PostgreSQL panic (for example, it cannot write its log), calls `onStopped` and rejects all access, because
 * later queries would block the process forever. The returned function reports whether that happened.
 */
export function stopOnPanic(pglite: PGlite, onStopped: (fault: ClipmillError) => void): () => boolean {
  let panic: unknown = null;
  // A new error each time: the queue modifies those it catches.
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

/** True for PANIC, or the WebAssembly crash if PostgreSQL could not send it. */
function isPanic(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  return error instanceof Error && "severity" in error && error.severity === "PANIC";
}
