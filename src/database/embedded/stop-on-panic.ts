import type { PGlite } from "@electric-sql/pglite";
import { ClipmillError } from "#contract/errors.ts";

const STOPPED =
  "The database stopped because its disk is full or failing. Saved data is safe. Free some space, then start Clipmill again.";

/**
 * PostgreSQL gives up where going on could damage what it keeps: it cannot write its log any more, say. Whoever asks the embedded
 * one for anything after that waits for ever, and the whole process with it. So nothing reaches it then, and `onStopped` is told.
 * Returns whether it has stopped.
 */
export function stopOnPanic(pglite: PGlite, onStopped: (fault: ClipmillError) => void): () => boolean {
  let panic: unknown = null;
  // A new one each time: the queue writes into the errors it is thrown.
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

/** The answer of a database that gives up, or what is left of it when it could not even answer. */
function isPanic(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  return error instanceof Error && "severity" in error && error.severity === "PANIC";
}
