import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The application's secret: the configured one, else the one in the data directory, made once and readable by its owner alone. */
export function readAppSecret(configured: string | undefined, dataDir: string): string {
  if (configured) return configured;
  const file = path.join(dataDir, "app-secret");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const part = `${file}.part`;
    writeFileSync(part, randomBytes(32).toString("base64url"), { mode: 0o600 });
    renameSync(part, file);
  }
  return readFileSync(file, "utf8").trim();
}
