/**
 * Copies Clipmill's state after its first start, which migrates, creates the account and adds the sample clips.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readLibrary, signedInClient } from "./client.ts";
import { type ClipmillProcess, startClipmillProcess } from "./clipmill-process.ts";
import { findTemplate } from "../find-template.ts";
import { sharedBucketFor, sharedPostgresUrl } from "./shared-servers.ts";

export const INSTALLATION_SOURCES = [
  "src/database/**/*.ts",
  "src/operations/{accounts,library,settings}/**/*.ts",
  "src/media/samples/*",
  "src/programs/**/*.ts",
  "src/queue/**/*.ts",
  "package-lock.json",
];
const POLL_MS = 100;

export async function startInstalledClipmill(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ClipmillProcess> {
  await copyInstallation(dataDir);
  return startClipmillProcess(dataDir, environment);
}

/** Uses a new folder, which `stop` removes. */
export async function startTemporaryClipmill(environment: Record<string, string> = {}): Promise<ClipmillProcess> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-installed-"));
  const clipmill = await startInstalledClipmill(path.join(folder, "data"), environment);
  return {
    ...clipmill,
    async stop() {
      const code = await clipmill.stop();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

export async function copyInstallation(dataDir: string): Promise<void> {
  const installation = await findInstallation();
  if (installation !== null) await cp(installation, dataDir, { recursive: true });
}

/** Null if this run's database or storage is on a server. */
export async function findInstallation(): Promise<string | null> {
  if (sharedPostgresUrl || sharedBucketFor() !== null) return null;
  return await findTemplate("installation", INSTALLATION_SOURCES, install);
}

async function install(dataDir: string): Promise<void> {
  const clipmill = await startClipmillProcess(dataDir);
  await waitForSamples(clipmill.url);
  await clipmill.stop();
}

async function waitForSamples(url: string): Promise<void> {
  const client = await signedInClient(url);
  while (!(await readLibrary(client)).isReady) await delay(POLL_MS);
}
