import type { Http2ServerRequest } from "node:http2";
import type { IncomingMessage } from "node:http";
import { ClipmillError } from "#contract/errors.ts";

const STALL_TIMEOUT_MS = 60_000;

/**
 * Applies back-pressure. Stopping early keeps the connection open for an error response. Throws ClipmillError
 * "cancelled" if the sender disconnects or stalls.
 */
export async function* readPieces(incoming: IncomingMessage | Http2ServerRequest): AsyncGenerator<Uint8Array> {
  const disconnect = () => incoming.destroy();
  incoming.setTimeout(STALL_TIMEOUT_MS, disconnect);
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new ClipmillError("cancelled", "The upload was interrupted. Try again.", { cause });
  } finally {
    incoming.setTimeout(0);
  }
}
