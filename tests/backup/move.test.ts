import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJob, signedInClient } from "#tests/support/servers/client.ts";
import { openFaultJobs } from "#tests/support/faults/fault-job.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import {
  environmentOf,
  requireInstallation,
  startDisposable,
  writeInstallation,
  type Written,
} from "./installation.ts";

const folder = await makeScratchFolder();
const jobs = await openFaultJobs(folder);
const dataDir = path.join(folder, "data");
const environment = { ...jobs.environment, WORKER_CONCURRENCY: "1" };
let written: Written;
let bucket: S3Server;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let storageUrl: string;
let credentials: Record<string, string>;

beforeAll(async () => {
  postgres = await startPostgres();
  bucket = await startS3Server();
  const { bucket: name, prefix, endpoint } = bucket.location;
  storageUrl = `s3://${name}/${prefix}?endpoint=${endpoint}`;
  credentials = {
    AWS_ACCESS_KEY_ID: process.env["AWS_ACCESS_KEY_ID"]!,
    AWS_SECRET_ACCESS_KEY: process.env["AWS_SECRET_ACCESS_KEY"]!,
  };
  const before = await startInstalledClipmill(dataDir, environment);
  written = await writeInstallation(before, jobs);
  await before.kill();
  jobs.release("second");
}, 600_000);
afterAll(async () => {
  await bucket?.close();
  await postgres?.stop();
  await jobs.close();
});

async function makeDatabase(name: string): Promise<string> {
  await onServer("postgres", `create database ${name}`);
  return postgres.urlOf(name);
}

async function onServer(database: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.urlOf(database) });
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function filesOfSource(): Promise<Record<string, string>> {
  const entries = await readdir(path.join(dataDir, "files"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const digests = files.map(async (file) => [
    file,
    createHash("sha256")
      .update(await readFile(file))
      .digest("hex"),
  ]);
  return Object.fromEntries(await Promise.all(digests)) as Record<string, string>;
}

it(
  "copies database and files, prints the settings, leaves the source unchanged, and the jobs resume there",
  { timeout: 600_000 },
  async () => {
    const url = await makeDatabase("moved");
    const before = await filesOfSource();

    const said = await runCommand(["move", "--to", url, "--storage", storageUrl], environmentOf(dataDir, credentials));

    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("row counts and checksums match");
    expect(said.stdout).toContain(`DATABASE_URL='${url.replace(":clipmill@", ":…@")}'`);
    expect(said.stdout).toContain(`STORAGE_URL='${storageUrl}'`);
    const secretFile = path.join(dataDir, "app-secret");
    expect(said.stdout).toContain(`APP_SECRET="$(cat '${secretFile}')"`);
    expect(await filesOfSource()).toEqual(before);
    expect(await readdir(dataDir)).not.toContain("moving");
    const again = await runCommand(["move", "--to", url], environmentOf(dataDir));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") as string });

    const secret = await readFile(secretFile, "utf8");
    const there = { ...environment, ...credentials, DATABASE_URL: url, STORAGE_URL: storageUrl, APP_SECRET: secret };
    const acts = await onServer("moved", "select email, action from audit_entries where action like 'backup.%'");
    expect(acts).toEqual([{ email: "terminal", action: "backup.move" }]);
    await using moved = await startDisposable(path.join(folder, "moved"), there);
    await requireInstallation(moved, written, folder);
  },
);

it("does not move a running installation, and rejects invalid addresses", { timeout: 300_000 }, async () => {
  // A killed move leaves a copy of all rows.
  await mkdir(path.join(dataDir, "moving/tables"), { recursive: true });
  await using running = await startDisposable(dataDir, environment);
  expect(await readdir(dataDir)).not.toContain("moving");
  // The moved source still works.
  expect(await readJob(await signedInClient(running.url), written.ended)).toMatchObject({ status: "Completed" });
  const url = await makeDatabase("not_reached");
  const rejected = await runCommand(["move", "--to", url], environmentOf(dataDir));
  expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining("is already running") as string });
  const saying = async (...words: string[]) => (await runCommand(["move", ...words], environmentOf(dataDir))).stderr;
  expect(await saying()).toContain("Specify a destination");
  expect(await saying("--to", "mysql://x")).toContain("--to must be a URL like postgres://");
  expect(await saying("--storage", "s3:x")).toContain("--storage must name a bucket");
});
