import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "#tests/support/faults/faulty-proxy.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { openLocalCopies } from "./s3-local-copies.ts";
import type { S3Location } from "./s3-location.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { Storage } from "../storage.ts";

/** Three parts. */
const BYTES = Buffer.alloc(20_000_001, "many bytes");
const STORED = { sizeBytes: BYTES.length, crc32: crc32(BYTES), sha256: sha256Of(BYTES) };
const LIMITS = { attempts: 4, requestMs: 5_000, silenceMs: 1_500, callMs: 20_000 };
const KEY = "jobs/1/out.mp4";

const OPENS = /^POST .*\?uploads/;
const SENDS_A_PART = /^PUT .*partNumber=/;
const SENDS_PART_2 = /^PUT .*partNumber=2&/;
const ENDS = /^POST .*\?uploadId/;
const READS = /^GET .*out\.mp4/;

let server: S3Server;
let proxy: FaultyProxy;
let folder: string;
let storage: Storage;
let faultOf: (request: string) => Fault;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "clipmill-s3-storage-"));
  faultOf = () => "none";
  proxy = await startFaultyProxy(server.port, (request) => faultOf(request));
  storage = await open({ endpoint: proxy.url });
});
afterEach(async () => {
  await proxy.close();
  await storageOfServer().then((direct) => direct.removeAll("jobs"));
  await rm(folder, { recursive: true });
});

function open(location: Partial<S3Location> = {}, limits = LIMITS): Promise<Storage> {
  return openS3Storage({ ...server.location, ...location }, path.join(folder, "copies"), limits);
}

const storageOfServer = () => open();

/** Applies the fault to the first `times` matching requests. */
function failOn(pattern: RegExp, fault: Fault, times = 1): void {
  let left = times;
  faultOf = (request) => (pattern.test(request) && left-- > 0 ? fault : "none");
}

async function localFile(): Promise<string> {
  const file = path.join(folder, "local");
  await writeFile(file, BYTES);
  return file;
}

async function expectStored(): Promise<void> {
  const stored = await buffer(await (await storageOfServer()).read(KEY));
  expect(stored.equals(BYTES)).toBe(true);
  expect(await server.openUploads()).toEqual([]);
}

describe("an upload in parts", () => {
  it.each<[what: string, request: RegExp, fault: Fault, times?: number]>([
    ["its opening meets 503", OPENS, "unavailable"],
    ["the response to its opening is lost", OPENS, "lose response"],
    ["every part meets 503 once", SENDS_A_PART, "unavailable", 3],
    ["a part breaks off", SENDS_PART_2, "drop"],
    ["a part breaks off twice", SENDS_PART_2, "drop", 2],
    ["the response to a part is lost", SENDS_PART_2, "lose response"],
    ["a part never gets a response", SENDS_PART_2, "silence"],
    ["its end meets 503", ENDS, "unavailable"],
    ["the response to its end is lost", ENDS, "lose response"],
  ])("is complete, with no part left over, when %s", async (_, request, fault, times) => {
    failOn(request, fault, times);
    expect(await storage.put(KEY, await localFile())).toEqual(STORED);
    expect(proxy.requests.filter((name) => request.test(name)).length).toBeGreaterThan(1);
    await expectStored();
  });

  it.each<[what: string, request: RegExp, fault: Fault]>([
    ["a part", SENDS_PART_2, "unavailable"],
    ["a part's connection", SENDS_PART_2, "drop"],
    ["every response to its opening", OPENS, "lose response"],
    ["its end", ENDS, "unavailable"],
  ])("that fails for good by %s leaves no part, and keeps the local file", async (_, request, fault) => {
    const local = await localFile();
    failOn(request, fault, Infinity);
    await expect(storage.put(KEY, local)).rejects.toMatchObject({ code: "unavailable", isRetryable: true });
    expect(await server.openUploads()).toEqual([]);
    expect(await storage.sizeOf(KEY)).toBeNull();
    expect((await stat(local)).size).toBe(BYTES.length);
  });

  it("that is canceled ends immediately and leaves no part", async () => {
    const cancelling = new AbortController();
    const cancelled = new Error("cancelled");
    faultOf = (request) => (SENDS_PART_2.test(request) ? "silence" : "none");
    const patient = await open({ endpoint: proxy.url }, { ...LIMITS, requestMs: 60_000, silenceMs: 60_000 });
    const putting = patient.put(KEY, await localFile(), { signal: cancelling.signal });
    const outcome = putting.catch((error: unknown) => error);
    await expect.poll(() => proxy.requests.some((name) => SENDS_PART_2.test(name))).toBe(true);
    expect(await server.openUploads()).toHaveLength(1);
    cancelling.abort(cancelled);
    expect(await outcome).toBe(cancelled);
    expect(await server.openUploads()).toEqual([]);
    expect(await storage.sizeOf(KEY)).toBeNull();
  });

  it("that a kill left a day ago is removed at the next start, but no younger one", async () => {
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    for (const name of ["old", "young"]) {
      await mkdir(path.join(server.uploadsFolder, name), { recursive: true });
      await writeFile(path.join(server.uploadsFolder, name, "key"), `a/prefix/jobs/${name}`);
    }
    await utimes(path.join(server.uploadsFolder, "old/key"), twoDaysAgo, twoDaysAgo);
    await open();
    expect(await server.openUploads()).toEqual(["a/prefix/jobs/young"]);
    await rm(path.join(server.uploadsFolder, "young"), { recursive: true });
  });
});

describe("a download", () => {
  it.each<[what: string, fault: Fault, times: number]>([
    ["meets 503", "unavailable", 2],
    ["gets no response", "silence", 1],
    ["breaks off in the middle, twice", "break response", 2],
  ])("returns every byte once when it %s", async (_, fault, times) => {
    await storage.put(KEY, await localFile());
    failOn(READS, fault, times);
    expect((await buffer(await storage.read(KEY))).equals(BYTES)).toBe(true);
    failOn(READS, fault, times);
    const part = await buffer(await storage.read(KEY, { start: 5, end: 15_000_004 }));
    expect(part.equals(BYTES.subarray(5, 15_000_005))).toBe(true);
  });

  it("resumes after its reader paused for longer than a connection may", async () => {
    await storage.put(KEY, await localFile());
    const reading = await storage.read(KEY);
    const before = proxy.requests.filter((name) => READS.test(name)).length;
    // The buffer is full, so no more data is requested.
    await once(reading, "readable");
    await expect.poll(() => proxy.leftEarly()).toBe(1);
    expect((await buffer(reading)).equals(BYTES)).toBe(true);
    expect(proxy.requests.filter((name) => READS.test(name)).length).toBeGreaterThan(before);
  });

  it("fails in one sentence when the store stays unreachable", async () => {
    await storage.put(KEY, await localFile());
    let isFirst = true;
    faultOf = (request) => {
      if (!READS.test(request)) return "none";
      const fault = isFirst ? "break response" : "unavailable";
      isFirst = false;
      return fault;
    };
    const reading = await storage.read(KEY);
    await expect(buffer(reading)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("for ffmpeg happens once for concurrent requests", async () => {
    await storage.put(KEY, await localFile());
    const paths = await Promise.all([storage.toLocalFile(KEY), storage.toLocalFile(KEY)]);
    expect(new Set([...paths, await storage.toLocalFile(KEY)]).size).toBe(1);
    expect(proxy.requests.filter((name) => READS.test(name))).toHaveLength(1);
  });
});

const copiesFolder = () => path.join(folder, "local-copies");

/** Leaves a copy that was last used so long ago. */
async function leaveCopy(name: string, hoursAgo: number): Promise<void> {
  await mkdir(path.join(copiesFolder(), name), { recursive: true });
  await writeFile(path.join(copiesFolder(), name, "copy"), "0123456789");
  const usedAt = new Date(Date.now() - hoursAgo * 3_600_000);
  await utimes(path.join(copiesFolder(), name), usedAt, usedAt);
}

describe("local copies", () => {
  it("above the limit are evicted at the start, except those in use", async () => {
    await leaveCopy("old", 8);
    await leaveCopy("newer", 7);
    await leaveCopy("in use", 5);
    await openLocalCopies(copiesFolder(), 25);
    expect((await readdir(copiesFolder())).toSorted()).toEqual(["in use", "newer"]);
    await openLocalCopies(copiesFolder(), 0);
    expect(await readdir(copiesFolder())).toEqual(["in use"]);
  });

  it("make room for a download on a full disk, except those in use", async () => {
    await leaveCopy("old", 7);
    await leaveCopy("in use", 5);
    const copies = await openLocalCopies(copiesFolder(), 1_000);
    const full = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    const failing = () => new Readable({ read() {} }).destroy(full);
    let downloads = 0;
    const untilFreed = async () => {
      downloads += 1;
      return (await readdir(copiesFolder())).includes("old") ? failing() : Readable.from(["new"]);
    };
    expect(await readFile(await copies.take("new", untilFreed), "utf8")).toBe("new");
    expect(downloads).toBe(2);
    expect(await readdir(copiesFolder())).toHaveLength(2);
    await expect(copies.take("too much", async () => failing())).rejects.toMatchObject({
      code: "no_space",
    });
    expect(await readdir(copiesFolder())).toHaveLength(2);
  });
});

async function failure(location: Partial<S3Location>): Promise<Error> {
  return await open(location, { ...LIMITS, attempts: 2 }).then(
    () => new Error("It opened."),
    (error: Error) => error,
  );
}

describe("opening a bucket", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("reports a missing bucket", async () => {
    const { message } = await failure({ bucket: "another" });
    expect(message).toBe('The bucket "another" does not exist. Create it, or correct STORAGE_URL.');
  });

  it("reports an unreachable endpoint", async () => {
    const port = await findFreePort();
    const { message } = await failure({ endpoint: `http://127.0.0.1:${port}` });
    expect(message).toBe(
      `The storage service at 127.0.0.1:${port} of the bucket "clips" could not be reached or did not respond in time.`,
    );
  });

  it("reports an outage after a limited number of tries", async () => {
    failOn(/./, "unavailable", Infinity);
    const before = proxy.requests.length;
    const { message } = await failure({ endpoint: proxy.url });
    expect(message).toBe('The storage service of the bucket "clips" is having problems right now. Retry later.');
    expect(proxy.requests.length - before).toBe(2);
  });

  it("makes as many tries after a long outage as before", async () => {
    const distant = await open({ endpoint: proxy.url });
    failOn(/./, "unavailable", Infinity);
    const outage = Array.from({ length: 60 }, () => distant.read(KEY).catch(() => {}));
    await Promise.all(outage);
    const before = proxy.requests.length;
    await expect(distant.read(KEY)).rejects.toThrow("is having problems right now");
    expect(proxy.requests.length - before).toBe(LIMITS.attempts);
  });

  it("reports missing credentials", async () => {
    const nothing = path.join(folder, "nothing");
    // Hides the machine's own configuration.
    for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, nothing);
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    const { message } = await failure({});
    expect(message).toBe(
      'There are no credentials for the bucket "clips". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  });

  it("reports rejected access without exposing the key", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "hunter2-hunter2");
    const error = await failure({});
    expect(error.message).toBe(
      'Access to the bucket "clips" was denied. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their permissions.',
    );
    const told = JSON.stringify([error, error.message, error.stack, error.cause]);
    expect(told).not.toMatch(/hunter2|signature/i);
  });
});
