import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { googleDrive } from "#contract/sources/hosts/google-drive/google-drive.ts";
import type { SourceFacts } from "#contract/sources/source-host.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import type { TwinBehavior } from "#tests/support/twins/google-drive/google-drive-twin-media.ts";
import { rejectSigning } from "#tests/support/fetch-from-host.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { fetchSourceFile, type FetchOptions } from "./save-source.ts";
import { createSourceGet } from "./source-http.ts";

const KEY = "AIzaSy-the-secret-key";
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));
const MD5 = createHash("md5").update(BYTES).digest("hex");
const NAME = "Відео «1».mp4";
const NOT_SHARED = 'This Google Drive file is not shared. Share it with "Anyone with the link", then retry.';
const ways = [
  { way: "with a key", apiKey: KEY },
  { way: "without a key", apiKey: null },
];

let folder: string;
let toPath: string;
let twin: DriveTwin;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "clipmill-drive-"));
  toPath = path.join(folder, "source");
  twin = await startDriveTwin({ apiKey: KEY });
});
afterEach(async () => {
  await twin.close();
  await rm(folder, { recursive: true });
});

function addFile(behaviour: TwinBehavior = { kind: "normal" }, more: { mimeType?: string; bytes?: Buffer } = {}): void {
  twin.add({ id: "file-1", name: NAME, mimeType: "video/mp4", bytes: BYTES, behaviour, ...more });
}

const LINK = { host: "google-drive", id: "file-1", accessKey: null } as const;

type More = Partial<Omit<FetchOptions, "access" | "facts">> & { accessKey?: string | null; url?: string };

function accessFor(apiKey: string | null, { url = twin.url }: More = {}) {
  return {
    baseUrls: baseUrlsOf(url),
    privateSources: [],
    googleDriveKey: apiKey,
    signS3: rejectSigning,
    openDropbox: rejectSigning,
  };
}

function describeFile(apiKey: string | null, { accessKey = null, stallSeconds, ...more }: More = {}) {
  const signal = more.signal ?? new AbortController().signal;
  const get = createSourceGet({ signal, ...(stallSeconds !== undefined && { stallSeconds }) });
  return googleDrive.describe({ ...LINK, accessKey }, { ...accessFor(apiKey, more), get });
}

async function fetchFile(apiKey: string | null, { accessKey = null, url, ...more }: More = {}) {
  // Without a key, the download provides all facts.
  const facts =
    apiKey === null ? null : await describeFile(apiKey, { accessKey, ...(url !== undefined && { url }), ...more });
  const { signal } = new AbortController();
  const access = accessFor(apiKey, url === undefined ? {} : { url });
  return fetchSourceFile(
    googleDrive,
    { ...LINK, accessKey },
    { access, facts, toPath, maxBytes: 1e6, signal, ...more },
  );
}

/** Also checks that no file is left and the key does not leak. */
async function failureOf(download: Promise<unknown>): Promise<ClipmillError> {
  const error = await download.then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ClipmillError);
  expect(await readdir(folder)).toEqual([]);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
  return error as ClipmillError;
}

const mediaRequests = () => twin.requests.filter((request) => request.path === "/download" || request.query.has("alt"));
const rangesOfMedia = () => mediaRequests().map(({ range }) => range);

describe.each(ways)("a Drive file $way", ({ apiKey }) => {
  it("stores the bytes and returns name, type, size and revision", async () => {
    addFile();
    const progress = vi.fn<(received: number, total: number | null) => void>();
    const facts = await fetchFile(apiKey, { onProgress: progress });
    expect(facts).toEqual({
      name: NAME,
      mimeType: "video/mp4",
      sizeBytes: BYTES.length,
      revision: apiKey ? MD5 : `"${MD5}" ${BYTES.length}`,
      ...(apiKey && { via: "api" }),
    });
    expect(await readFile(toPath)).toEqual(BYTES);
    expect(progress).toHaveBeenLastCalledWith(BYTES.length, BYTES.length);
  });

  it.each<[string, TwinBehavior, Partial<ClipmillError>]>([
    ["is not shared", { kind: "notShared" }, { code: "not_shared", message: NOT_SHARED, isRetryable: false }],
    ["asks to sign in", { kind: "notShared", as: "page" }, { code: "not_shared", message: NOT_SHARED }],
    ["may not be downloaded", { kind: "notDownloadable" }, { code: "not_shared" }],
    ["does not exist", { kind: "notFound" }, { code: "source_not_found", isRetryable: false }],
    ["needs a resource key", { kind: "resourceKey", resourceKey: "0-abc" }, { code: "source_not_found" }],
    ["is over its quota", { kind: "quotaExceeded" }, { code: "quota_exceeded", isRetryable: true }],
    ["leads to another host", { kind: "redirect", to: "https://evil.example/x" }, { code: "bad_link" }],
    ["leads to the machine's network", { kind: "redirect", to: "http://169.254.169.254/" }, { code: "bad_link" }],
    [
      "asks to wait for long",
      { kind: "rateLimited", times: 9, retryAfterSeconds: 90 },
      { code: "rate_limited", retryAfterSeconds: 90, isRetryable: true },
    ],
    [
      "asks to wait, not how long",
      { kind: "rateLimited", times: 9, retryAfterSeconds: null },
      { code: "rate_limited", retryAfterSeconds: null },
    ],
    ["is out of order", { kind: "outOfOrder", times: 9 }, { code: "network", isRetryable: true }],
    ["never comes whole", { kind: "wrongLength" }, { code: "incomplete", isRetryable: true }],
    [
      "changes on the way",
      { kind: "changesWhenResumed", bytes: Buffer.alloc(BYTES.length, 1) },
      { code: "incomplete", message: "This file changed on Google Drive during the download. Retry." },
    ],
  ])("reports a file that %s", async (_, behaviour, expected) => {
    addFile(behaviour);
    expect(await failureOf(fetchFile(apiKey))).toMatchObject(expected);
  });

  it("reports a missing file", async () => {
    expect(await failureOf(fetchFile(apiKey))).toMatchObject({ code: "source_not_found" });
  });

  it.each(["text/html", "application/vnd.google-apps.document"])("rejects a file of type %s", async (mimeType) => {
    // Google's editors respond to the public download with a page.
    addFile({ kind: "normal" }, { mimeType: apiKey ? mimeType : "text/html; charset=utf-8" });
    expect(await failureOf(fetchFile(apiKey))).toMatchObject({ code: "not_a_video" });
  });

  it("sends the resource key of older links", async () => {
    addFile({ kind: "resourceKey", resourceKey: "0-abc" });
    await fetchFile(apiKey, { accessKey: "0-abc" });
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("waits out a short delay that Google requests", async () => {
    addFile({ kind: "rateLimited", times: 2, retryAfterSeconds: 0 });
    await fetchFile(apiKey);
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("waits three times at most", async () => {
    addFile({ kind: "rateLimited", times: 9, retryAfterSeconds: 0 });
    expect(await failureOf(fetchFile(apiKey))).toMatchObject({ code: "rate_limited", retryAfterSeconds: 0 });
    expect(twin.requests).toHaveLength(4);
  });

  it("follows a redirect within the service", async () => {
    addFile({ kind: "redirect" });
    await fetchFile(apiKey);
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("resumes an interrupted download at the right byte", async () => {
    addFile({ kind: "truncateOnce" });
    const written: number[] = [];
    await fetchFile(apiKey, { onProgress: (received) => written.push(received) });
    expect(await readFile(toPath)).toEqual(BYTES);
    const start = Math.max(...written.filter((received) => received <= BYTES.length / 2));
    expect(start).toBeGreaterThan(0);
    expect(rangesOfMedia()).toEqual([null, `bytes=${start}-`]);
  });

  it("starts over if the server cannot resume", async () => {
    addFile({ kind: "truncateOnce", ignoresRanges: true });
    expect(await fetchFile(apiKey)).toMatchObject({ sizeBytes: BYTES.length });
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("resumes three times at most", async () => {
    addFile({ kind: "wrongLength" });
    await failureOf(fetchFile(apiKey));
    expect(rangesOfMedia()).toHaveLength(4);
  });

  it("downloads a slow file completely", async () => {
    addFile({ kind: "slowDrip", bytesPerSecond: 1_000_000 });
    await fetchFile(apiKey, { stallSeconds: 5 });
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("rejects a file over the limit before downloading it", async () => {
    addFile();
    const progress = vi.fn<(received: number, total: number | null) => void>();
    const failure = await failureOf(fetchFile(apiKey, { maxBytes: BYTES.length - 1, onProgress: progress }));
    expect(failure).toMatchObject({
      code: "too_large",
      message: "This file is larger than 0.3 MB, the maximum that Clipmill accepts.",
      isRetryable: false,
    });
    expect(progress).not.toHaveBeenCalled();
  });

  it("aborts a silent download", async () => {
    addFile({ kind: "gated" });
    expect(await failureOf(fetchFile(apiKey, { stallSeconds: 0.3 }))).toMatchObject({
      code: "network",
      message: "Google Drive stopped sending data. Check the network, then retry.",
    });
  });

  it("ends a canceled download and leaves no file", async () => {
    addFile({ kind: "gated" });
    const controller = new AbortController();
    const download = fetchFile(apiKey, { signal: controller.signal, onProgress: () => controller.abort() });
    expect(await failureOf(download)).toMatchObject({ code: "cancelled" });
  });

  it("continues a stalled download when the server does", async () => {
    addFile({ kind: "gated" });
    await fetchFile(apiKey, { onProgress: () => twin.release("file-1") });
    expect(await readFile(toPath)).toEqual(BYTES);
  });

  it("reports a download over its time limit as a network error", async () => {
    addFile({ kind: "gated" });
    expect(await failureOf(fetchFile(apiKey, { signal: AbortSignal.timeout(200) }))).toMatchObject({
      code: "network",
      isRetryable: true,
    });
  });

  it("reports an unreachable Google Drive", async () => {
    const nowhere = await startDriveTwin();
    await nowhere.close();
    expect(await failureOf(fetchFile(apiKey, { url: nowhere.url }))).toMatchObject({
      code: "network",
      message: "Google Drive could not be reached. Check the network, then retry.",
    });
  });
});

describe("a Drive file with a key", () => {
  it("points to Settings when Google rejects the key", async () => {
    addFile();
    const failure = await failureOf(fetchFile("another-key"));
    expect(failure).toMatchObject({
      code: "bad_key",
      message: "Google rejected the Google Drive key. Check it in Settings.",
      isRetryable: false,
    });
    expect(inspect(failure, { depth: null })).not.toContain("another-key");
  });

  it("uses only the API for a file that it provides", async () => {
    addFile({ kind: "virusScanPage" });
    await fetchFile(KEY);
    expect(twin.requests.map(({ path: asked }) => asked)).toEqual(Array(2).fill("/drive/v3/files/file-1"));
    expect(twin.requests.every(({ query }) => query.get("supportsAllDrives") === "true")).toBe(true);
  });
});

describe("a Drive file without a key", () => {
  it("confirms the virus-scan page of a large file", async () => {
    addFile({ kind: "virusScanPage" });
    expect(await fetchFile(null)).toMatchObject({ name: NAME, sizeBytes: BYTES.length });
    expect(await readFile(toPath)).toEqual(BYTES);
    expect(twin.requests.map(({ query }) => query.has("uuid"))).toEqual([false, true]);
  });

  it("never calls the API", async () => {
    addFile();
    await fetchFile(null);
    expect(twin.requests.map(({ path: asked }) => asked)).toEqual(["/download"]);
  });
});

describe("Google Drive's metadata", () => {
  it("is the same before and after a download, with a key", async () => {
    addFile();
    const facts = await describeFile(KEY);
    expect(facts).toEqual({
      name: NAME,
      mimeType: "video/mp4",
      sizeBytes: BYTES.length,
      revision: MD5,
      via: "api",
    } satisfies SourceFacts);
    expect(mediaRequests()).toEqual([]);
    expect(await fetchFile(KEY)).toEqual(facts);
  });

  it("comes from one byte of the public download without a key, and for a file that the API cannot see", async () => {
    addFile({ kind: "virusScanPage" });
    const facts = { name: NAME, mimeType: "video/mp4", sizeBytes: BYTES.length, revision: `"${MD5}" ${BYTES.length}` };
    expect(await describeFile(null)).toEqual(facts);
    expect(rangesOfMedia()).toEqual(Array(2).fill("bytes=0-0"));
    addFile({ kind: "notShared" });
    for (const key of [null, KEY]) expect(await failureOf(describeFile(key))).toMatchObject({ code: "not_shared" });
  });
});
