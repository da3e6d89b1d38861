import { hkdfSync } from "node:crypto";

/** Derives a 32-byte key for one purpose (HKDF-SHA256), so that no two uses share a key. */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", appSecret, "", `clipmill ${purpose}`, 32));
}
