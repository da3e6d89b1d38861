import { createHash } from "node:crypto";

/** Formats like ssh-keygen -l: SHA-256 in Base64 without padding. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash("sha256").update(hostKey).digest("base64").replace(/=+$/, "")}`;
}
