/**
 * Authenticates the back office to the redirector with HMAC-SHA256 over id, time and raw body (Standard Webhooks). The
 * key is the publish token, which is never sent.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

export const MAX_CLOCK_SKEW_SECONDS = 300;
export const MIN_TOKEN_CHARACTERS = 16;

export type SignatureHeaders = {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
  /** Signs only id, time and length, to reject unauthenticated requests before reading their body. */
  "clipmill-pass": string;
};

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

export function isPassValid(token: string, headers: SignatureHeaders, bodyBytes: number): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.length.${bodyBytes}`;
  return isSame(headers["clipmill-pass"], `v1,${hmac(token, signed)}`);
}

export function hasSignature(token: string, headers: SignatureHeaders, body: Buffer): boolean {
  const made = `v1,${hmac(token, `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`, body)}`;
  // Standard Webhooks allows several signatures, separated by spaces.
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
