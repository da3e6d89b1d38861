/** A signed link opens one file for a day without a session. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ByteRange } from "#storage/storage.ts";
import { deriveKey } from "../derive-key.ts";

const VALID_SECONDS = 24 * 60 * 60;
/** Full hours keep links the same, so that browsers can cache their files. */
const EXPIRY_STEP_SECONDS = 60 * 60;

export type LinkSigner = {
  /** Returns a relative path, valid for at least 24 h. */
  sign(path: string): string;
  /** `expires` is in Unix seconds. */
  isValid(path: string, expires: string | undefined, signature: string | undefined): boolean;
};

/** `now` returns Unix milliseconds. Links signed under another APP_SECRET, even a previous one, are invalid. */
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

export type Download = {
  fileName: string;
  type: string;
  sizeBytes: number;
  /** Changes whenever the bytes do. */
  etag: string;
  /** Null if several files are combined. */
  storageKey: string | null;
  /** Ending the iteration early closes the source. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
};
