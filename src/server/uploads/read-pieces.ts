import type { Http2ServerRequest } from "node:http2";
import type { IncomingMessage } from "node:http";
import { ClipmillError } from "#contract/errors.ts";

/** A sender that says nothing for so long is gone. */
const MOST_SILENCE_MS = 60_000;

/**
 * The body of a request piece by piece, as fast as it is taken. Who stops before its end leaves the connection whole, so that a
 * refusal can still be answered. Throws ClipmillError "cancelled" when the sender is gone.
 */
export async function* readPieces(incoming: IncomingMessage | Http2ServerRequest): AsyncGenerator<Uint8Array> {
  const giveUp = () => incoming.destroy();
  incoming.setTimeout(MOST_SILENCE_MS, giveUp);
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new ClipmillError("cancelled", "The upload was broken off.", { cause });
  } finally {
    incoming.setTimeout(0);
  }
}
