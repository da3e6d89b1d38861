/**
 * How the back office proves to the redirector who asks: HMAC-SHA256 over id, time and raw body, as Standard Webhooks
 * does, with the publish token as the key. The token itself never travels.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

/** How far the two clocks may be apart. */
export const MOST_CLOCK_SKEW_SECONDS = 300;
export const LEAST_TOKEN_CHARACTERS = 16;

export type SignatureHeaders = {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
  /** Of id, time and length alone: lets a stranger's request be refused before its body is read. */
  "clipmill-pass": string;
};

/** The headers that go with a body, fresh each time. */
export function signBody(token: string, body: Buffer, now = Date.now()): SignatureHeaders {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(now / 1000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(token, `${id}.${timestamp}.`, body)}`,
    "clipmill-pass": `v1,${hmac(token, `${id}.${timestamp}.length.${body.length}`)}`,
  };
}

/** True when the request's headers were made with this token for a body of this length. */
export function hasPass(token: string, headers: SignatureHeaders, bodyBytes: number): boolean {
  const said = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.length.${bodyBytes}`;
  return isSame(headers["clipmill-pass"], `v1,${hmac(token, said)}`);
}

/** True when the signature was made with this token for this body. */
export function hasSignature(token: string, headers: SignatureHeaders, body: Buffer): boolean {
  const made = `v1,${hmac(token, `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`, body)}`;
  // Standard Webhooks allows several, divided by spaces.
  return headers["webhook-signature"].split(" ").some((signature) => isSame(signature, made));
}

function hmac(token: string, ...parts: (string | Buffer)[]): string {
  const made = createHmac("sha256", token);
  for (const part of parts) made.update(part);
  return made.digest("base64");
}

function isSame(given: string, made: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(made)];
  return a.length === b.length && timingSafeEqual(a, b);
}
