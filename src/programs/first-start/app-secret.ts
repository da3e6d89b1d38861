import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { renameSynced, replaceFile } from "#ground/sync-files.ts";
import type { AppSecrets } from "#operations/settings/sealed-values.ts";

type Configured = { APP_SECRET?: string | undefined; PREVIOUS_APP_SECRET?: string | undefined };

/** Generates a secret on the first start, if none is configured. */
export async function readAppSecrets(
  { APP_SECRET, PREVIOUS_APP_SECRET }: Configured,
  dataDir: string,
): Promise<AppSecrets> {
  const file = secretFile(dataDir);
  if (!APP_SECRET && !existsSync(file)) await writeSecret(file);
  // `next` remains after an interrupted rotation. The file's secret is a previous one once APP_SECRET replaces it.
  const beside = [nextFile(dataDir), previousFile(dataDir), ...(APP_SECRET ? [file] : [])].map(readIfExists);
  const others = [PREVIOUS_APP_SECRET, ...beside];
  return {
    current: APP_SECRET ?? readFileSync(file, "utf8").trim(),
    previous: others.filter((secret): secret is string => Boolean(secret)),
  };
}

/** Ignores previous and next secrets. */
export function hasAppSecret({ APP_SECRET }: Configured, dataDir: string): boolean {
  return APP_SECRET !== undefined || existsSync(secretFile(dataDir));
}

/** Generates a secret, unused until `keepNextSecret`, or returns that of an interrupted rotation. */
export async function makeNextSecret(dataDir: string): Promise<string> {
  const file = nextFile(dataDir);
  if (!existsSync(file)) await writeSecret(file);
  return readFileSync(file, "utf8").trim();
}

/** Atomically makes the next secret current, keeping the old one until a program has started with the new one. */
export async function keepNextSecret(dataDir: string): Promise<void> {
  await writeAtomically(previousFile(dataDir), readFileSync(secretFile(dataDir), "utf8"));
  await renameSynced(nextFile(dataDir), secretFile(dataDir));
}

/** Call it only after opening the database with the current secret. */
export function deletePreviousSecret(dataDir: string): void {
  rmSync(previousFile(dataDir), { force: true });
}

export function listSecretFiles(dataDir: string): string[] {
  return [secretFile(dataDir), nextFile(dataDir)].filter((file) => existsSync(file));
}

/** Replaces the current secret in `dataDir` and that of an interrupted rotation, if they exist in `fromFolder`. */
export async function copySecretFiles(fromFolder: string, dataDir: string): Promise<void> {
  for (const file of listSecretFiles(fromFolder)) {
    await writeAtomically(path.join(dataDir, path.basename(file)), readFileSync(file, "utf8"));
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

function readIfExists(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

async function writeSecret(file: string): Promise<void> {
  // Synced: data sealed under the secret must not outlive it after a power failure.
  await writeAtomically(file, randomBytes(32).toString("base64url"));
}

async function writeAtomically(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, text);
}
