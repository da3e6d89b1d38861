/**
 * Clipmill after its first start, which migrates, creates the account and renders the sample clips. That takes more
 * than ten seconds of CPU time, so it happens once and each test gets a copy.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readLibrary, signedInClient } from "./client.ts";
import { type ClipmillProcess, startClipmillProcess } from "./clipmill-process.ts";
import { findTemplate } from "../find-template.ts";
import { sharedBucketFor, sharedPostgresUrl } from "./shared-servers.ts";

/** Sources of the result of a first start. */
export const INSTALLATION_SOURCES = [
  "src/database/**/*.ts",
  "src/operations/{accounts,library,settings}/**/*.ts",
  "src/media/{samples,sample-scenes}/*.ts",
  "src/programs/**/*.ts",
  "src/queue/**/*.ts",
  "package-lock.json",
];
const POLL_MS = 100;

/** Like `startClipmillProcess`, on a new data directory with the account and the sample clips. */
export async function startInstalledClipmill(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ClipmillProcess> {
  await copyInstallation(dataDir);
  return startClipmillProcess(dataDir, environment);
}

/** Like `startInstalledClipmill`, in a new folder that `stop` removes. */
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

/** Fills a new data directory, unless this run's database or storage is on a server. */
export async function copyInstallation(dataDir: string): Promise<void> {
  const installation = await findInstallation();
  if (installation !== null) await cp(installation, dataDir, { recursive: true });
}

/** Returns the folder of the installation, which the first call makes, or null if copies have no use. */
export async function findInstallation(): Promise<string | null> {
  if (sharedPostgresUrl || sharedBucketFor() !== null) return null;
  return await findTemplate("installation", INSTALLATION_SOURCES, install);
}

async function install(dataDir: string): Promise<void> {
  const clipmill = await startClipmillProcess(dataDir);
  await waitForSamples(clipmill.url);
  await clipmill.stop();
}

/** Waits until the library contains the sample clips. */
async function waitForSamples(url: string): Promise<void> {
  const client = await signedInClient(url);
  while (!(await readLibrary(client)).isReady) await delay(POLL_MS);
}
