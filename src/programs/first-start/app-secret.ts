/** The application's secret: the configured one, else the one in the data directory, readable by its owner alone. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { replaceFile } from "#ground/replace-file.ts";
import { renameSynced } from "#ground/sync-files.ts";
import type { AppSecrets } from "#operations/settings/secret-fingerprint.ts";

type Configured = { APP_SECRET?: string | undefined; PREVIOUS_APP_SECRET?: string | undefined };

/** The secrets of this installation. Without a configured one, one is made the first time. */
export async function readAppSecrets(
  { APP_SECRET, PREVIOUS_APP_SECRET }: Configured,
  dataDir: string,
): Promise<AppSecrets> {
  const file = secretFile(dataDir);
  if (!APP_SECRET && !existsSync(file)) await writeSecret(file);
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
export async function makeNextSecret(dataDir: string): Promise<string> {
  const file = nextFile(dataDir);
  if (!existsSync(file)) await writeSecret(file);
  return readFileSync(file, "utf8").trim();
}

/** Makes the next secret the current one, in one step. The one before is kept until a program has started on the new one. */
export async function keepNextSecret(dataDir: string): Promise<void> {
  await writeWhole(previousFile(dataDir), readFileSync(secretFile(dataDir), "utf8"));
  await renameSynced(nextFile(dataDir), secretFile(dataDir));
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
export async function takeSecretFiles(fromFolder: string, dataDir: string): Promise<void> {
  for (const file of listSecretFiles(fromFolder)) {
    await writeWhole(path.join(dataDir, path.basename(file)), readFileSync(file, "utf8"));
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

async function writeSecret(file: string): Promise<void> {
  // What is sealed under it must not outlive it in a power cut.
  await writeWhole(file, randomBytes(32).toString("base64url"));
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, text);
}
