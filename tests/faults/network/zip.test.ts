import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { readdir, readFile, readlink, rm } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { expect } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { writeFinishedJob } from "#tests/support/jobs/finished-job.ts";
import { copyInstallation } from "#tests/support/servers/installed-clipmill.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { checkZip } from "#tests/support/unzip.ts";

const scratch = await makeScratchFolder();
const MEGABYTE = 1_000_000;
/** Above the server's memory before the first download. */
const MAX_GROWTH_BYTES = 150 * MEGABYTE;
/** Socket buffers of a stalled client, plus the server's other reads. */
const MAX_READ_AHEAD_BYTES = 64 * MEGABYTE;

testFault(
  {
    id: "zip-client",
    fault: "a zip download stalls, disconnects and resumes (2,000 outputs of 3 MB; 200 of 1 MB in the short form)",
    expected: "back-pressure, files closed, memory flat, the archive valid and identical to an uninterrupted download",
    rounds: { short: 1, full: 1 },
    secondsPerRound: 1_200,
    skip: process.platform !== "linux" && "what a process holds is read from /proc",
  },
  async () => {
    const isFull = Boolean(process.env["FAULT_RESULTS"]);
    return await downloadBadly(
      isFull ? { count: 2_000, bytesEach: 3 * MEGABYTE } : { count: 200, bytesEach: MEGABYTE },
    );
  },
);

async function downloadBadly(outputs: { count: number; bytesEach: number }): Promise<Record<string, number>> {
  const dataDir = path.join(scratch, "data");
  await copyInstallation(dataDir);
  await writeFinishedJob(dataDir, outputs.count, outputs.bytesEach);
  const clipmill = await startClipmillProcess(dataDir);
  try {
    const client = await signedInClient(clipmill.url);
    const { data } = await client.from("jobs").select("*").single<Job>();
    const url = new URL(data!.download_url!, clipmill.url);
    const openFiles = () => filesHeld(clipmill.pid, path.join(dataDir, "files"));
    const memory = watchMemory(clipmill.pid);
    const before = await memory.look();
    const readBefore = await bytesRead(clipmill.pid);

    const zip = path.join(scratch, "all.zip");
    const first = await open(url, 0);
    const total = Number(first.headers["content-length"]);
    expect(total).toBeGreaterThan(outputs.count * outputs.bytesEach);
    await readUpTo(first, zip, total * 0.1);
    await restUntilQuiet(clipmill.pid, memory.look);
    const readAhead = (await bytesRead(clipmill.pid)) - readBefore - statSync(zip).size;
    expect(readAhead).toBeLessThan(MAX_READ_AHEAD_BYTES);
    expect((await fetch(`${clipmill.url}/health`)).status).toBe(200);
    expect(await openFiles()).not.toEqual([]);
    first.destroy();
    await expect.poll(openFiles).toEqual([]);

    const second = await open(url, statSync(zip).size, first.headers.etag);
    expect(second.statusCode).toBe(206);
    await readUpTo(second, zip, total * 0.6);
    second.destroy();
    await expect.poll(openFiles).toEqual([]);
    const third = await open(url, statSync(zip).size, first.headers.etag);
    await Promise.all([pipeline(third, createWriteStream(zip, { flags: "a" })), memory.until(third)]);
    await expect.poll(openFiles).toEqual([]);
    expect(statSync(zip).size).toBe(total);

    const whole = createHash("sha256");
    const fourth = await open(url, 0);
    await Promise.all([pipeline(fourth, whole), memory.until(fourth)]);
    expect(await digestOf(zip)).toBe(whole.digest("hex"));
    expect(await checkZip(zip), "the outputs and both manifests").toBe(outputs.count + 2);
    const growth = memory.most() - before;
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    return {
      "GB in the zip": total / 1e9,
      "MB of extra memory": growth / MEGABYTE,
      "MB read ahead of a stalled client": readAhead / MEGABYTE,
    };
  } finally {
    await clipmill.stop();
    await rm(dataDir, { recursive: true });
    await rm(path.join(scratch, "all.zip"), { force: true });
  }
}

async function open(url: URL, start: number, etag?: string): Promise<IncomingMessage> {
  const headers = { ...(start > 0 && { range: `bytes=${start}-` }), ...(etag && { "if-range": etag }) };
  const request = http.get(url, { agent: false, headers });
  return await new Promise((resolve, reject) => request.on("response", resolve).on("error", reject));
}

/** Appends to the file up to this size, then stops reading. */
async function readUpTo(response: IncomingMessage, file: string, bytes: number): Promise<void> {
  const out = createWriteStream(file, { flags: "a" });
  let size = existsSync(file) ? statSync(file).size : 0;
  for await (const piece of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (!out.write(piece)) await once(out, "drain");
    if (size >= bytes) break;
  }
  response.pause();
  await new Promise<void>((resolve) => out.end(() => resolve()));
}

/** Waits until the server has read almost nothing for 2 s; samples its memory. */
async function restUntilQuiet(pid: number, look: () => Promise<number>): Promise<void> {
  const QUIET_MS = 2_000;
  let before = -1;
  let quietSince = Date.now();
  while (Date.now() - quietSince < QUIET_MS) {
    const now = await bytesRead(pid);
    // The database keeps reading a little.
    if (now - before > MEGABYTE) {
      before = now;
      quietSince = Date.now();
    }
    await look();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** In bytes. */
function watchMemory(pid: number) {
  let most = 0;
  const look = async (): Promise<number> => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
    most = Math.max(most, Number(kilobytes) * 1_024);
    return most;
  };
  return {
    look,
    most: () => most,
    async until(response: IncomingMessage): Promise<void> {
      while (!response.closed) {
        await look();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** Includes files and sockets. */
async function bytesRead(pid: number): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, "utf8"))?.[1]);
}

async function filesHeld(pid: number, folder: string): Promise<string[]> {
  const handles = await readdir(`/proc/${pid}/fd`);
  const held = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => "")));
  return held.filter((file) => file.startsWith(`${folder}/`));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
