import type { IncomingMessage } from "node:http";
import { ClipmillError } from "#contract/errors.ts";
import { PUBLISH_LIMITS } from "#contract/cloak/published-config.ts";
import { isPassValid, hasSignature, MAX_CLOCK_SKEW_SECONDS, type SignatureHeaders } from "#ground/publish-signature.ts";

export type SignedRequests = {
  /**
   * Requires a signed, recent, complete request that is not replayed. Throws ClipmillError "unauthorized", "too_large",
   * "incomplete" or "invalid".
   */
  receive(request: IncomingMessage): Promise<Buffer>;
};

const MAX_BODY_MS = 60_000;

/** Keeps used ids in memory for ten minutes, twice the accepted clock skew; a restart clears them. */
export function createSignedRequests(token: string): SignedRequests {
  /** By id, the Unix second after which its timestamp is too old anyway. */
  const used = new Map<string, number>();
  const useId = (id: string, nowSeconds: number): void => {
    for (const [old, until] of used) {
      if (until >= nowSeconds) break;
      used.delete(old);
    }
    if (used.has(id)) throw new ClipmillError("unauthorized", "Duplicate request.");
    used.set(id, nowSeconds + 2 * MAX_CLOCK_SKEW_SECONDS);
  };
  return {
    async receive(request) {
      const headers = readHeaders(request);
      const bytes = Number(request.headers["content-length"] ?? Number.NaN);
      if (!Number.isSafeInteger(bytes)) throw new ClipmillError("invalid", "The request has no Content-Length header.");
      if (!isPassValid(token, headers, bytes)) throw wrongToken();
      const nowSeconds = Math.floor(Date.now() / 1000);
      if (Math.abs(nowSeconds - Number(headers["webhook-timestamp"])) > MAX_CLOCK_SKEW_SECONDS) {
        throw new ClipmillError(
          "unauthorized",
          "The request is too old, or the clocks of the two machines differ by more than five minutes.",
        );
      }
      // Only holders of the token get this far, so the map stays small.
      useId(headers["webhook-id"], nowSeconds);
      if (bytes > PUBLISH_LIMITS.bytes) {
        throw new ClipmillError("too_large", "The document is larger than 64 MB, the maximum the redirector accepts.");
      }
      const body = await readBody(request, bytes);
      if (!hasSignature(token, headers, body)) {
        throw new ClipmillError("unauthorized", "The document was changed in transit: its signature does not match.");
      }
      return body;
    },
  };
}

function readHeaders(request: IncomingMessage): SignatureHeaders {
  const read = (name: keyof SignatureHeaders): string => {
    const value = request.headers[name];
    if (typeof value !== "string" || value.length > 500) throw wrongToken();
    return value;
  };
  return {
    "webhook-id": read("webhook-id"),
    "webhook-timestamp": read("webhook-timestamp"),
    "webhook-signature": read("webhook-signature"),
    "clipmill-pass": read("clipmill-pass"),
  };
}

async function readBody(request: IncomingMessage, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  const deadline = setTimeout(() => request.destroy(), MAX_BODY_MS);
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch (cause) {
    throw new ClipmillError("incomplete", "The document is incomplete. Publish again.", { cause });
  } finally {
    clearTimeout(deadline);
  }
  const body = Buffer.concat(parts);
  if (body.length !== bytes) throw new ClipmillError("incomplete", "The document is incomplete. Publish again.");
  return body;
}

function wrongToken(): ClipmillError {
  return new ClipmillError(
    "unauthorized",
    "The redirector rejected the publish token. VPS_PUBLISH_TOKEN must match the one stored on the VPS.",
  );
}
