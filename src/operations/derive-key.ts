import { hkdfSync } from "node:crypto";

/** Derives a 32-byte key (HKDF-SHA256); no two uses share one. */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", appSecret, "", `clipmill ${purpose}`, 32));
}
