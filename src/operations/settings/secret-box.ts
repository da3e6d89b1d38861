/** Seals keys of outside services before they reach the database. A stolen DATA_DIR that holds APP_SECRET opens them too. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKey } from "../derive-key.ts";

const CIPHER = "aes-256-gcm";
const VERSION = "v1";

export type SecretBox = {
  /** Seals a text for the row called `name`; it opens under that name alone. */
  seal(name: string, plain: string): string;
  /** Throws when the sealed text was changed, moved to another row, or sealed under another secret. */
  open(name: string, sealed: string): string;
};

/** Makes the box of this installation. */
export function createSecretBox(appSecret: string): SecretBox {
  const key = deriveKey(appSecret, "sealed settings");
  return {
    seal(name, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return [VERSION, iv, body, cipher.getAuthTag()]
        .map((part) => (typeof part === "string" ? part : part.toString("base64url")))
        .join(".");
    },
    open(name, sealed) {
      const [version, iv, body, tag] = sealed.split(".");
      if (version !== VERSION || !iv || !tag || body === undefined)
        throw new Error(`The sealed value of ${name} has an unknown form.`);
      const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64url"))
        .setAAD(Buffer.from(name))
        .setAuthTag(Buffer.from(tag, "base64url"));
      return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
    },
  };
}
