import { existsSync } from "node:fs";
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { openPlaces } from "#tests/support/servers/brought-in.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { openFaultJobs } from "#tests/support/faults/fault-job.ts";
import { copyInstallation } from "#tests/support/servers/installed-clipmill.ts";
import { runCommand, startCommand } from "#tests/support/run-command.ts";
import { copyWithoutTables } from "#tests/support/servers/databases/database.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import {
  environmentOf,
  keepUploading,
  readAuditEntries,
  requireInstallation,
  requireOutputs,
  startDisposable,
  writeInstallation,
  type Written,
} from "./installation.ts";

const folder = await makeScratchFolder();
const jobs = await openFaultJobs(folder);
afterAll(() => jobs.close());

const dataDir = path.join(folder, "data");
const environment = { ...jobs.environment, WORKER_CONCURRENCY: "1" };
const backup = path.join(folder, "backup");
let written: Written;

it(
  "backs up during a job and uploads, and restores everything elsewhere, where the jobs resume",
  { timeout: 600_000 },
  async () => {
    await copyInstallation(dataDir);
    await using before = await startDisposable(dataDir, environment);
    written = await writeInstallation(before, jobs);
    const uploading = new AbortController();
    const uploads = keepUploading(before.url, path.join(folder, "first.mp4"), uploading.signal);

    const said = await runCommand(["backup", backup], environmentOf(dataDir));

    uploading.abort();
    expect(await uploads).toBeGreaterThan(0);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const acts = await readAuditEntries(before.url);
    expect(acts.filter(({ action }) => action.startsWith("backup."))).toMatchObject([
      { email: "terminal", action: "backup.create", subject: "backup" },
    ]);
    expect(said.stdout).toContain("2 encrypted secrets, and the app secret that decrypts them");
    expect(said.stdout).toContain("Hard-linked to the installation:");
    expect((await stat(path.join(backup, "app-secret"))).mode & 0o777).toBe(0o600);
    await before.kill();
    jobs.release("second");

    const elsewhere = path.join(folder, "elsewhere");
    const restored = await runCommand(["restore", backup], environmentOf(elsewhere));
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).not.toContain("missing from storage");
    await using after = await startDisposable(elsewhere, environment);
    expect((await readAuditEntries(after.url)).filter(({ action }) => action.startsWith("backup."))).toMatchObject([
      { email: "terminal", action: "backup.restore", subject: "backup" },
    ]);
    await requireInstallation(after, written, folder);
    await after.stop();

    const again = await runCommand(["restore", backup], environmentOf(elsewhere));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") as string });
  },
);

it(
  "restores to PostgreSQL and a bucket, where a server and a worker resume the jobs",
  { timeout: 600_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const places = await openPlaces(folder);
    stack.defer(() => places.close());
    const place = await places.onServers("restored");

    const restored = await runCommand(["restore", backup], place.environment);

    expect(restored).toMatchObject({ code: 0, stderr: "" });
    const secretFile = path.join(place.dataDir, "app-secret");
    expect(restored.stdout).toContain(`APP_SECRET="$(cat '${secretFile}')"`);
    const there = { ...environment, ...place.environment, APP_SECRET: await readFile(secretFile, "utf8") };
    const start = async (kind: "server" | "worker") => {
      const own = path.join(folder, kind);
      return stack.use(await startDisposable(own, { ...there, DATA_DIR: own }, kind));
    };
    const server = await start("server");
    await start("worker");
    await requireInstallation(server, written, folder);
    const client = await signedInClient(server.url);
    const inBackup = await digestsOf(await listFiles(path.join(backup, "files")));
    const old = await requireOutputs(client, { url: server.url, jobId: written.ended, scratch: folder });
    for (const digest of await digestsOf(old)) expect(inBackup).toContain(digest);
    const job = await createJob(client, jobs.request("New"));
    await expect.poll(() => hasEnded(client, job.id), { timeout: 180_000 }).toBe(true);
    await requireOutputs(client, { url: server.url, jobId: job.id, scratch: folder });
  },
);

it(
  "stops a backup whose command is killed and leaves no backup that looks complete",
  { timeout: 600_000 },
  async () => {
    await using clipmill = await startDisposable(dataDir, environment);
    const backup = path.join(folder, "given-up");
    const { child, ended } = startCommand(["backup", backup], environmentOf(dataDir));
    await expect.poll(() => existsSync(path.join(backup, "tables")), { interval: 2 }).toBe(true);
    child.kill("SIGKILL");
    await ended;
    // The server keeps running and accepts a new backup into the same folder once the first one has stopped.
    const second = async () => (await runCommand(["backup", backup], environmentOf(dataDir))).code;
    expect((await fetch(`${clipmill.url}/health`)).status).toBe(200);
    await expect.poll(second, { timeout: 60_000 }).toBe(0);
  },
);

it("lists the secrets that a backup does not contain", { timeout: 300_000 }, async () => {
  const backUpWith = (secret: string) =>
    runCommand(["backup", path.join(folder, "by-environment")], environmentOf(dataDir, { APP_SECRET: secret }));
  const wrong = await backUpWith("another secret that is long enough");
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("secret is not available") as string,
  });
  const first = await backUpWith(await readFile(path.join(dataDir, "app-secret"), "utf8"));
  expect(first.stdout).toContain("but not APP_SECRET, which is set in the environment. Keep it elsewhere");
  const left = path.join(folder, "left-out");
  const second = await runCommand(["backup", left, "--without-secret", "--without-files"], environmentOf(dataDir));
  expect(second.stdout).toContain("but not the app secret");
  expect(await readdir(left)).not.toContain("app-secret");
  const without = path.join(folder, "without");
  await copyWithoutTables(without);
  const rejected = await runCommand(["restore", left], environmentOf(without));
  expect(rejected.stderr).toContain("This backup was made with a different secret.");
});

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function digestsOf(files: string[]): Promise<string[]> {
  return await Promise.all(files.map(digestOf));
}

async function digestOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
