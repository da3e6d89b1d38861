/** Signed links: they open one file for a day without a session, and nothing else. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "../derive-key.ts";

const VALID_SECONDS = 24 * 60 * 60;
/** Expiries fall on full hours, so that a row read twice carries the same link and browsers can cache behind it. */
const EXPIRY_STEP_SECONDS = 60 * 60;

export type LinkSigner = {
  /** The path with its expiry and signature: relative, valid for at least 24 h. */
  sign(path: string): string;
  /** True when `signature` was made here for this path and `expires` (Unix seconds) lies ahead. */
  isValid(path: string, expires: string | undefined, signature: string | undefined): boolean;
};

/** Makes the signer of this installation. */
export function createLinkSigner(appSecret: string, now: () => number = Date.now): LinkSigner {
  const key = deriveKey(appSecret, "signed links");
  const signatureOf = (path: string, expires: string): string =>
    createHmac("sha256", key).update(`${path}\n${expires}`).digest("base64url");
  return {
    sign(path) {
      const step = Math.ceil(now() / 1000 / EXPIRY_STEP_SECONDS) * EXPIRY_STEP_SECONDS;
      const expires = String(step + VALID_SECONDS);
      return `${path}?expires=${expires}&signature=${signatureOf(path, expires)}`;
    },
    isValid(path, expires, signature) {
      if (!expires || !signature || !/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now()) return false;
      const wanted = Buffer.from(signatureOf(path, expires));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}
