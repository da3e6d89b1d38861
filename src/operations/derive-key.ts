import { hkdfSync } from "node:crypto";

/**
 * Returns a 32-byte key for one purpose, derived from the application's secret (HKDF-SHA256), so no two uses share a
 * key.
 */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", appSecret, "", `clipmill ${purpose}`, 32));
}
