/** A stolen DATA_DIR that contains APP_SECRET can decrypt saved keys too. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { ClipmillError } from "#contract/errors.ts";
import { deriveKey } from "../derive-key.ts";

const CIPHER = "aes-256-gcm";
/** `v<key version>.<iv>.<body>.<tag>` */
const SEALED = /^v(\d+)\.([\w-]+)\.([\w-]*)\.([\w-]+)$/;

export type SecretBox = {
  /** The value opens only under this row name. */
  seal(name: string, plain: string): string;
  /** Throws ClipmillError "invalid" if the value was changed, moved to another row, or sealed under another secret. */
  open(name: string, sealed: string): string;
};

/** Opens values of any version and any of the secrets. */
export function createSecretBox(
  appSecret: string,
  { previous = [], version = 1 }: { previous?: readonly string[]; version?: number } = {},
): SecretBox {
  return {
    seal(name, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv(CIPHER, sealingKey(appSecret, version), iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return [`v${version}`, ...[iv, body, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(".");
    },
    open(name, sealed) {
      for (const secret of [appSecret, ...previous]) {
        const plain = tryToOpen(sealingKey(secret, sealedVersion(sealed)), name, sealed);
        if (plain !== null) return plain;
      }
      throw new ClipmillError(
        "invalid",
        "A saved key cannot be decrypted because APP_SECRET has changed. Set PREVIOUS_APP_SECRET to the old secret, or save the key again.",
        { facts: { name } },
      );
    },
  };
}

/** 0 if the text is not sealed. */
export function sealedVersion(sealed: string): number {
  return Number(SEALED.exec(sealed)?.[1] ?? 0);
}

function sealingKey(appSecret: string, version: number): Buffer {
  return deriveKey(appSecret, version === 1 ? "sealed settings" : `sealed settings ${version}`);
}

function tryToOpen(key: Buffer, name: string, sealed: string): string | null {
  const [, , iv, body, tag] = SEALED.exec(sealed) ?? [];
  if (iv === undefined || body === undefined || tag === undefined) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64url"), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(tag, "base64url"));
    return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
