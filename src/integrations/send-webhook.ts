import { Agent, request } from "undici";
import { codeOf } from "#ground/error-code.ts";
import { authorityOf } from "#contract/authority-of.ts";
import { connectToPublicAddresses, ForbiddenAddressError } from "#ground/public-address.ts";

const TIMEOUT_MS = 15_000;
/** The logged part of a response; the rest is not read. */
const MAX_RESPONSE_BYTES = 2_000;
/** A receiver may echo its secret. */
const SECRET = /whsec_[\w+/=-]*/g;
/** PostgreSQL cannot store NUL. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

const trusted = new Agent({ connect: { timeout: TIMEOUT_MS } });
// Checks the address it connects to, because a second DNS lookup could return another.
const guarded = new Agent({ connect: connectToPublicAddresses() });

type WebhookRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Private addresses that are allowed, as `host:port`; they may use http. */
  allowed: readonly string[];
  signal: AbortSignal;
};

type WebhookResponse = { status: number | null; answer: string | null; error: string | null };

/** Follows no redirects. Rejects only if `signal` aborts. */
export async function sendWebhook({ url, headers, body, allowed, signal }: WebhookRequest): Promise<WebhookResponse> {
  const isTrusted = allowed.includes(authorityOf(url));
  if (!isTrusted && !url.toLowerCase().startsWith("https:")) return failed("The address does not start with https://.");
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { statusCode: status, body: stream } = await request(url, {
      dispatcher: isTrusted ? trusted : guarded,
      method: "POST",
      headers,
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    const answer = await readStart(stream);
    return { status, answer, error: describeStatus(status) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted) return failed(`The receiver did not respond within ${TIMEOUT_MS / 1_000} seconds.`);
    if (error instanceof ForbiddenAddressError) {
      return failed("The address is not public, so nothing was sent. ALLOW_PRIVATE_WEBHOOKS can allow it.");
    }
    return failed(`The receiver could not be reached (${codeOf(error) ?? "no valid response"}).`);
  }
}

function failed(error: string): WebhookResponse {
  return { status: null, answer: null, error };
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver returned a redirect (${status}), which is not followed.`;
  if (status === 410) return "The receiver returned 410 (Gone), so this webhook was turned off.";
  return `The receiver returned ${status}.`;
}

/** Never rejects: the status counts even if the body is cut off. */
async function readStart(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Leaving the loop destroys the stream.
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // Logs what has arrived.
  }
  const text = Buffer.concat(chunks).toString("utf8", 0, MAX_RESPONSE_BYTES);
  return text.replaceAll(CONTROL, "").replaceAll(SECRET, "whsec_…");
}
