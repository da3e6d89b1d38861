/** The application's secret: the configured one, else the one in the data directory, readable by its owner alone. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { AppSecrets } from "#operations/settings/secret-fingerprint.ts";

type Configured = { APP_SECRET?: string | undefined; PREVIOUS_APP_SECRET?: string | undefined };

/** The secrets of this installation. Without a configured one, one is made the first time. */
export function readAppSecrets({ APP_SECRET, PREVIOUS_APP_SECRET }: Configured, dataDir: string): AppSecrets {
  const file = secretFile(dataDir);
  if (!APP_SECRET && !existsSync(file)) writeSecret(file);
  // The next one is there when a rotation was stopped before its end; the file's, when APP_SECRET came to replace it.
  const beside = [nextFile(dataDir), previousFile(dataDir), ...(APP_SECRET ? [file] : [])].map(readIfThere);
  const others = [PREVIOUS_APP_SECRET, ...beside];
  return {
    current: APP_SECRET ?? readFileSync(file, "utf8").trim(),
    previous: others.filter((secret): secret is string => Boolean(secret)),
  };
}

/** Whether there is a secret without making one. */
export function hasAppSecret({ APP_SECRET }: Configured, dataDir: string): boolean {
  return APP_SECRET !== undefined || existsSync(secretFile(dataDir));
}

/** A new secret for the data directory, which does not hold until `keepNextSecret`. One that was begun before is taken. */
export function makeNextSecret(dataDir: string): string {
  const file = nextFile(dataDir);
  if (!existsSync(file)) writeSecret(file);
  return readFileSync(file, "utf8").trim();
}

/** Makes the next secret the current one, in one step. The one before is kept until a program has started on the new one. */
export function keepNextSecret(dataDir: string): void {
  writeWhole(previousFile(dataDir), readFileSync(secretFile(dataDir), "utf8"));
  renameSync(nextFile(dataDir), secretFile(dataDir));
}

/** Forgets the secret before the current one: a program has started, so nothing needs it any more. */
export function forgetPreviousSecret(dataDir: string): void {
  rmSync(previousFile(dataDir), { force: true });
}

/** The files that hold the secrets of the data directory; the first is the one that holds. */
export function listSecretFiles(dataDir: string): string[] {
  return [secretFile(dataDir), nextFile(dataDir)].filter((file) => existsSync(file));
}

/** Takes over the secrets of another folder. */
export function takeSecretFiles(fromFolder: string, dataDir: string): void {
  for (const file of listSecretFiles(fromFolder)) {
    writeWhole(path.join(dataDir, path.basename(file)), readFileSync(file, "utf8"));
  }
}

function secretFile(dataDir: string): string {
  return path.join(dataDir, "app-secret");
}

function previousFile(dataDir: string): string {
  return `${secretFile(dataDir)}.previous`;
}

function nextFile(dataDir: string): string {
  return `${secretFile(dataDir)}.next`;
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

function writeSecret(file: string): void {
  writeWhole(file, randomBytes(32).toString("base64url"));
}

function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.part`;
  const handle = openSync(part, "w", 0o600);
  writeSync(handle, text);
  // What is sealed under it must not outlive it in a power cut.
  fsyncSync(handle);
  closeSync(handle);
  renameSync(part, file);
  const folder = openSync(path.dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}
