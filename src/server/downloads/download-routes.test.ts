import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { coverKeyOf } from "#operations/jobs/job-folders.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { STORAGES, type TestStorage } from "#tests/support/servers/storages.ts";

const BYTES = Buffer.from("0123456789".repeat(500));
const NAMES = ["clip.mp4", `Grüße "👋".mp4`, `a'b;c%d\\e.mp4`, "two\r\nX-Evil: lines.mp4"];
const { openStorage } = STORAGES.find(({ kind }) => kind === "a bucket")!;

let folder: string;
let bucket: TestStorage;
let server: TestServer;
let jobId: string;
/** By variant, like NAMES. */
let links: string[];
let pictureLink: string;
let coverLink: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-redirects-"));
  bucket = await openStorage(folder);
  server = await startTestServer(undefined, {
    openStorage: async () => bucket,
    fileAddresses: bucket.storage.addresses,
  });
  await writeFinishedJob();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function writeFinishedJob(): Promise<void> {
  const { db, links: signer, storage } = server.context;
  ({ id: jobId } = await server.create({ variants_per_video: NAMES.length }));
  const video = await db.selectFrom("job_videos").select("id").where("job_id", "=", jobId).executeTakeFirstOrThrow();
  const local = path.join(folder, "made");
  const keys = { storage_key: `jobs/${jobId}/made.mp4`, thumbnail_key: `jobs/${jobId}/made.jpg` };
  for (const key of [...Object.values(keys), coverKeyOf(keys.storage_key)]) {
    await writeFile(local, BYTES);
    await storage.put(key, local);
  }
  const cover = JSON.stringify({ sizeBytes: BYTES.length, crc32: crc32(BYTES) });
  const facts = { ...keys, cover, size_bytes: BYTES.length, crc32: crc32(BYTES), status: "Completed" as const };
  const outputs = await db
    .insertInto("job_outputs")
    .values(NAMES.map((name, variant) => ({ job_id: jobId, video_id: video.id, variant, segment: 0, name, ...facts })))
    .returning(["id", "variant"])
    .execute();
  await db.updateTable("jobs").set({ status: "Processing" }).where("id", "=", jobId).execute();
  await db.updateTable("jobs").set({ status: "Completed" }).where("id", "=", jobId).execute();
  outputs.sort((one, other) => one.variant - other.variant);
  links = outputs.map(({ id }) => signer.sign(`/downloads/outputs/${id}`));
  pictureLink = signer.sign(`/downloads/thumbnails/${outputs[0]!.id}`);
  coverLink = signer.sign(`/downloads/covers/${outputs[0]!.id}`);
}

function ask(link: string, options: RequestInit = {}): Promise<Response> {
  return fetch(server.url + link, { redirect: "manual", ...options });
}

async function locationOf(link: string): Promise<URL> {
  const response = await ask(link);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location")!);
}

describe("with addresses in the bucket,", () => {
  it("an output's link redirects there for five minutes, without caching", async () => {
    const response = await ask(links[0]!);
    expect([response.status, response.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
    const address = new URL(response.headers.get("location")!);
    expect(address.origin).toBe(bucket.storage.addresses!.origin);
    expect(address.searchParams.get("X-Amz-Expires")).toBe("300");
    expect(address.searchParams.get("response-content-type")).toBe("video/mp4");
    expect(address.searchParams.has("response-content-disposition")).toBe(false);
  });

  it("range requests work, and thumbnails and covers have their type", async () => {
    const part = await ask(links[0]!, { headers: { range: "bytes=10-1009" }, redirect: "follow" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-1009/${BYTES.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(10, 1010))).toBe(true);
    for (const link of [pictureLink, coverLink]) {
      const picture = await ask(link, { redirect: "follow" });
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    }
    expect((await locationOf(coverLink)).pathname).toContain("made.mp4.jpg");
  });

  it.each(NAMES.map((name, i) => [name, i]))("%j is saved under the same name as when streamed", async (_name, i) => {
    const link = `${links[i]}&download=1`;
    // Streamed: the presigned address accepts only GET.
    const streamed = await ask(link, { method: "HEAD" });
    expect([streamed.status, streamed.headers.get("content-length")]).toEqual([200, String(BYTES.length)]);
    const disposition = streamed.headers.get("content-disposition")!;
    expect(disposition).toMatch(/^attachment; filename="[^"\\%]+"; filename\*=UTF-8''[\w.%~!-]+$/);
    expect((await locationOf(link)).searchParams.get("response-content-disposition")).toBe(disposition);
    const saved = await ask(link, { redirect: "follow" });
    expect(saved.headers.get("content-disposition")).toBe(disposition);
    expect(saved.headers.get("x-evil")).toBeNull();
    expect(Buffer.from(await saved.arrayBuffer()).equals(BYTES)).toBe(true);
  });

  it("the zip is streamed through the server", async () => {
    const zip = await ask(server.context.links.sign(`/downloads/jobs/${jobId}`));
    expect([zip.status, zip.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect((await zip.arrayBuffer()).byteLength).toBeGreaterThan(NAMES.length * BYTES.length);
  });

  it("no address is valid longer than the link", async () => {
    // The real bucket would reject requests from a changed clock.
    vi.spyOn(bucket.storage, "sizeOf").mockResolvedValue(BYTES.length);
    vi.spyOn(bucket.storage, "read").mockResolvedValue(Readable.from([BYTES]));
    const expires = Number(new URLSearchParams(links[0]!.split("?")[1]).get("expires"));
    vi.useFakeTimers({ toFake: ["Date"], now: (expires - 42) * 1000 });
    expect((await locationOf(links[0]!)).searchParams.get("X-Amz-Expires")).toBe("42");
    vi.setSystemTime(expires * 1000 - 500);
    expect((await ask(links[0]!)).status).toBe(200);
  });

  it("an expired or changed link does not redirect", async () => {
    const past = createLinkSigner("a secret for tests that is long enough", () => 0);
    const [path] = links[0]!.split("?");
    for (const link of [path!, past.sign(path!), links[0]!.replace(/expires=\d/, "expires=9")]) {
      const rejected = await ask(link);
      expect([rejected.status, rejected.headers.get("location")]).toEqual([403, null]);
    }
  });

  it("pages may load only images and videos from that origin", async () => {
    const { origin } = bucket.storage.addresses!;
    const policy = (await ask("/health")).headers.get("content-security-policy")!;
    expect(policy.split("; ").filter((rule) => rule.includes(origin))).toEqual([
      `img-src 'self' data: blob: ${origin}`,
      `media-src 'self' blob: ${origin}`,
    ]);
  });

  it("a missing file is reported by the server", async () => {
    const gone = await server.context.db
      .updateTable("job_outputs")
      .set({ thumbnail_key: "jobs/gone.jpg" })
      .where("job_id", "=", jobId)
      .where("variant", "=", 1)
      .returning("id")
      .executeTakeFirstOrThrow();
    const response = await ask(server.context.links.sign(`/downloads/thumbnails/${gone.id}`));
    expect([response.status, await response.json()]).toMatchObject([404, { error: "This file no longer exists." }]);
  });
});

it("streams from a bucket by default, and allows the browser no other origin", async () => {
  const streaming = await startTestServer(undefined, { openStorage });
  try {
    const { storage, db, links: signer } = streaming.context;
    const { id } = await streaming.create();
    const video = await db.selectFrom("job_videos").select("id").where("job_id", "=", id).executeTakeFirstOrThrow();
    const local = path.join(folder, "streamed");
    await writeFile(local, BYTES);
    await storage.put("jobs/1/streamed.mp4", local);
    const output = await db
      .insertInto("job_outputs")
      .values({
        job_id: id,
        video_id: video.id,
        variant: 0,
        segment: 0,
        name: "a.mp4",
        storage_key: "jobs/1/streamed.mp4",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const url = streaming.url + signer.sign(`/downloads/outputs/${output.id}`);
    const response = await fetch(url, { redirect: "manual" });
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, BYTES.length]);
    expect(response.headers.get("content-security-policy")).toContain("media-src 'self' blob:;");
  } finally {
    await streaming.close();
  }
});
