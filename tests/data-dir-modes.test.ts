import { chmod, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { copyInstallation } from "#tests/support/servers/installed-clipmill.ts";
import { type FaultJobs, openFaultJobs } from "#tests/support/faults/fault-job.ts";
import { isOnServers } from "#tests/support/servers/shared-servers.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const scratch = await makeScratchFolder();
let jobs: FaultJobs;

beforeAll(async () => {
  jobs = await openFaultJobs(scratch);
});
afterAll(() => jobs.close());

/** Returns files other than 0600 and folders other than 0700, with their modes. */
async function loose(dataDir: string): Promise<string[]> {
  const names = ["", ...(await readdir(dataDir, { recursive: true }))];
  const found: string[] = [];
  for (const name of names) {
    const stats = await lstat(path.join(dataDir, name)).catch(() => null);
    if (!stats) continue;
    const mode = stats.mode & 0o777;
    if (mode !== (stats.isDirectory() ? 0o700 : 0o600)) found.push(`${name} ${mode.toString(8)}`);
  }
  return found;
}

it.skipIf(isOnServers)("makes the data directory accessible to its owner only", { timeout: 240_000 }, async () => {
  const dataDir = path.join(scratch, "data");
  // What a first start created, with its modes.
  await copyInstallation(dataDir);
  expect(await loose(dataDir)).toEqual([]);
  // Modes that an operator or an older version may have set.
  await mkdir(path.join(dataDir, "files/outputs"), { recursive: true });
  await chmod(dataDir, 0o755);
  await writeFile(path.join(dataDir, "files/outputs/older.mp4"), "", { mode: 0o644 });
  const clipmill = await startClipmillProcess(dataDir, jobs.environment);
  try {
    const client = await signedInClient(clipmill.url);
    const job = await createJob(client, jobs.request("Modes"));
    await expect.poll(() => hasEnded(client, job.id), { timeout: 180_000 }).toBe(true);
    expect((await readdir(dataDir, { recursive: true })).length).toBeGreaterThan(500);
    expect(await loose(dataDir)).toEqual([]);
  } finally {
    await clipmill.stop();
  }
  expect(await loose(dataDir)).toEqual([]);
});
