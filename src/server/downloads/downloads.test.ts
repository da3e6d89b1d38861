import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ApprovedResponse } from "#contract/calls.ts";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import type { Manifest } from "#contract/manifest/manifest.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { STORAGES } from "#tests/support/servers/storages.ts";
import { unzip } from "#tests/support/unzip.ts";

/** Clashing names; one empty, one larger than any buffer. */
const FILES = [
  { name: "clip.mp4", bytes: randomBytes(70_000) },
  { name: "CLIP.mp4", bytes: Buffer.alloc(0) },
  { name: "Grüße 👋.mp4", bytes: randomBytes(3_000_000) },
];
/** A busy machine needs more than polling's default of one second. */
const LONG_TIMEOUT = { timeout: 15_000 };

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe.each(STORAGES)("with files in $kind,", ({ openStorage }) => {
  let server: TestServer;
  let job: Job;
  let outputs: JobOutput[];

  beforeAll(async () => {
    server = await startTestServer(undefined, { openStorage });
    job = await finishedJob();
    const { data } = await server.client.from("job_outputs").select("*").eq("job_id", job.id).order("variant");
    outputs = data as JobOutput[];
  });
  afterAll(() => server.close());

  /** Creates a finished job without rendering. */
  async function finishedJob(request = {}): Promise<Job> {
    const { context, folder } = server;
    const { id } = await server.create({ variants_per_video: FILES.length, ...request });
    const video = await context.db
      .selectFrom("job_videos")
      .select("id")
      .where("job_id", "=", id)
      .executeTakeFirstOrThrow();
    await context.db
      .updateTable("job_videos")
      .set({ status: "Processing", attempts: 1 })
      .where("id", "=", video.id)
      .execute();
    await context.db.updateTable("jobs").set({ status: "Processing" }).where("id", "=", id).execute();
    for (const [variant, file] of FILES.entries()) {
      const output = await context.db
        .insertInto("job_outputs")
        .values({ job_id: id, video_id: video.id, variant, segment: 0, name: file.name })
        .returning("id")
        .executeTakeFirstOrThrow();
      const local = path.join(folder, "made");
      await writeFile(local, file.bytes);
      const stored = await context.storage.put(`jobs/${id}/${output.id}.mp4`, local);
      await writeFile(local, "a picture");
      await context.storage.put(`jobs/${id}/${output.id}.jpg`, local);
      const facts = {
        id: output.id,
        warnings: [],
        conformance: null,
        contentKey: output.id,
        storageKey: `jobs/${id}/${output.id}.mp4`,
        thumbnailKey: `jobs/${id}/${output.id}.jpg`,
        cover: null,
        durationSeconds: 1,
        width: 2,
        height: 2,
      };
      await completeOutput(context, { jobId: id, videoId: video.id, attempt: 1 }, { ...facts, ...stored });
    }
    await endVideo(context, { jobId: id, videoId: video.id, attempt: 1 }, { status: "Completed" });
    const { data } = await server.client.from("jobs").select("*").eq("id", id).single<Job>();
    return data!;
  }

  function get(link: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    return fetch(server.url + link, { method, headers });
  }

  describe("a job's zip", () => {
    it("has its address, and each other column of its job, in a row of that column alone", async () => {
      for (const [column, value] of Object.entries(job)) {
        const { data } = await server.client.from("jobs").select<string>(column).eq("id", job.id).single();
        // The signature depends on the time.
        const signed: unknown = expect.stringMatching(`/downloads/(jobs|manifests)/${job.id}`);
        const expected = ["download_url", "manifest_url"].includes(column) ? signed : value;
        expect(data).toEqual({ [column]: expected });
      }
    });

    it("contains every output intact, under unique names", async () => {
      const response = await get(job.download_url!);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-disposition")).toContain(`filename="${job.id}-outputs.zip"`);
      const zip = await bytesOf(response);
      expect(response.headers.get("content-length")).toBe(String(zip.length));
      const folder = path.join(server.folder, "unzipped");
      await mkdir(folder);
      await writeFile(path.join(server.folder, "all.zip"), zip);
      const [csv, json, ...files] = await unzip(path.join(server.folder, "all.zip"), folder);
      expect([csv, json].map((file) => path.basename(file!))).toEqual(["manifest.csv", "manifest.json"]);
      expect(files.map((file) => path.basename(file))).toEqual(["clip.mp4", "CLIP (2).mp4", "Grüße 👋.mp4"]);
      for (const [i, file] of files.entries()) expect((await readFile(file)).equals(FILES[i]!.bytes)).toBe(true);
    });

    it("of approved files has only those, its own signature, and an ETag that follows the verdicts", async () => {
      const call = async <Body>(body: object) =>
        (await server.client.functions.invoke<Body>("jobs", { body: { ...body, jobId: job.id } })).data!;
      const review = (output: JobOutput, verdict: string | null) =>
        call({ action: "review", outputId: output.id, verdict });
      expect(await call({ action: "approved" })).toEqual({ download_url: null, files: 0, size_bytes: 0 });

      await review(outputs[0]!, "approved");
      await review(outputs[1]!, "rejected");
      const approved = await call<ApprovedResponse>({ action: "approved" });
      expect(approved).toMatchObject({ files: 1, size_bytes: FILES[0]!.bytes.length });
      const link = approved.download_url!;
      const zip = path.join(server.folder, "approved.zip");
      const first = await get(link);
      await writeFile(zip, await bytesOf(first));
      const [csv, json, ...files] = await unzip(zip, path.join(server.folder, "approved"));
      expect(files.map((file) => path.basename(file))).toEqual(["clip.mp4"]);
      expect((await readFile(csv!, "utf8")).split("\r\n").slice(1, -1)).toEqual([expect.stringMatching(/^clip\.mp4,/)]);
      const manifest = JSON.parse(await readFile(json!, "utf8")) as Manifest;
      expect(manifest.outputs.map(({ output }) => output)).toEqual(["clip.mp4"]);
      expect((await get(link.replace("/approved/", "/jobs/"))).status).toBe(403);
      expect((await get(job.download_url!)).headers.get("etag")).not.toBe(first.headers.get("etag"));

      const etag = first.headers.get("etag")!;
      await review(outputs[1]!, "rejected");
      expect((await get(link, { range: "bytes=10-", "if-range": etag })).status).toBe(206);
      await review(outputs[2]!, "approved");
      expect((await get(link, { range: "bytes=10-", "if-range": etag })).status).toBe(200);
      for (const output of outputs) await review(output, null);
      expect((await get(link)).status).toBe(404);
    });

    // spec 9.23
    it("contains them in a folder with the job's sanitized name, unique to the job", async () => {
      for (const [name, folder] of [
        ["Spring drop", "Spring drop"],
        ["../../etc/Grüße: 1\\2 👋", "_.._etc_Grüße_ 1_2 👋"],
        ["..", "Job"],
        ["CON", "_CON"],
        ["x".repeat(200), "x".repeat(120)],
      ] as const) {
        const named = await finishedJob({ job_name: name });
        const zip = path.join(server.folder, `${named.id}.zip`);
        await writeFile(zip, await bytesOf(await get(named.download_url!)));
        const target = path.join(server.folder, named.id);
        const files = await unzip(zip, target);
        expect(files.map((file) => path.relative(target, path.dirname(file)))).toEqual(
          files.map(() => `${folder}-${named.id.slice(0, 8)}`),
        );
      }
    });

    it("resumes from any byte with the same result", async () => {
      const whole = await bytesOf(await get(job.download_url!));
      for (const start of [1, 40, 69_999, 70_200, whole.length - 30]) {
        const rest = await get(job.download_url!, { range: `bytes=${start}-` });
        expect(rest.status).toBe(206);
        expect(rest.headers.get("content-range")).toBe(`bytes ${start}-${whole.length - 1}/${whole.length}`);
        expect((await bytesOf(rest)).equals(whole.subarray(start))).toBe(true);
      }
      const beyond = await get(job.download_url!, { range: `bytes=${whole.length}-` });
      expect(beyond.status).toBe(416);
      expect(beyond.headers.get("content-range")).toBe(`bytes */${whole.length}`);
    });

    it("restarts when the zip has changed", async () => {
      const etag = (await get(job.download_url!, {}, "HEAD")).headers.get("etag")!;
      expect((await get(job.download_url!, { range: "bytes=5-", "if-range": etag })).status).toBe(206);
      expect((await get(job.download_url!, { range: "bytes=5-", "if-range": '"older"' })).status).toBe(200);
      expect((await get(job.download_url!, { "if-none-match": etag })).status).toBe(304);
    });

    it("returns its length for HEAD", async () => {
      const head = await get(job.download_url!, {}, "HEAD");
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(3_070_000);
      expect(await bytesOf(head)).toHaveLength(0);
    });

    // spec 2.4.9
    it("does not exist when downloads are off, or before the job is done", async () => {
      const off = await finishedJob({ download_enabled: false });
      expect(off.download_url).toBeNull();
      expect((await get(server.context.links.sign(`/downloads/jobs/${off.id}`))).status).toBe(404);
      const queued = await server.create();
      const early = await get(server.context.links.sign(`/downloads/jobs/${queued.id}`));
      expect([early.status, await early.json()]).toMatchObject([404, { error: "There is no zip for this job." }]);
    });

    it("stops reading from storage when the client disconnects", async () => {
      const reading = vi.spyOn(server.context.storage, "read");
      const leaving = new AbortController();
      const response = await fetch(server.url + job.download_url!, { signal: leaving.signal });
      await response.body!.getReader().read();
      leaving.abort();
      const streams = await Promise.all(reading.mock.results.map((result) => result.value as Promise<Readable>));
      reading.mockRestore();
      expect(streams).not.toHaveLength(0);
      await expect.poll(() => streams.every((stream) => stream.destroyed), LONG_TIMEOUT).toBe(true);
    });
  });

  describe("an output", () => {
    it("plays in parts, and downloads under its name", async () => {
      const link = outputs[2]!.media_url!;
      const part = await get(link, { range: "bytes=1000-1999" });
      expect([part.status, part.headers.get("content-type")]).toEqual([206, "video/mp4"]);
      expect(part.headers.get("content-disposition")).toBeNull();
      expect((await bytesOf(part)).equals(FILES[2]!.bytes.subarray(1000, 2000))).toBe(true);
      const saved = await get(`${link}&download=1`, {}, "HEAD");
      const disposition = `attachment; filename="Gr__e __.mp4"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%F0%9F%91%8B.mp4`;
      expect(saved.headers.get("content-disposition")).toBe(disposition);
      expect(await bytesOf(await get(outputs[1]!.media_url!))).toHaveLength(0);
    });

    it("has a thumbnail that browsers may cache", async () => {
      const picture = await get(outputs[0]!.thumbnail_url!);
      expect(picture.headers.get("content-type")).toBe("image/jpeg");
      expect(picture.headers.get("cache-control")).toContain("max-age=86400");
      expect((await bytesOf(picture)).toString()).toBe("a picture");
    });

    it("returns an error when its file is missing", async () => {
      const { id } = await finishedJob();
      const { data } = await server.client.from("job_outputs").select("media_url").eq("job_id", id).limit(1).single();
      await server.context.storage.removeAll(`jobs/${id}`);
      const response = await get((data as JobOutput).media_url!);
      expect([response.status, await response.json()]).toMatchObject([404, { error: "This file no longer exists." }]);
    });
  });

  describe("a signed link", () => {
    it("opens only its file, and nothing when changed or expired", async () => {
      const link = new URL(server.url + job.download_url!);
      const tampered = [
        `/downloads/jobs/${job.id}`,
        `/downloads/outputs/${outputs[0]!.id}${link.search}`,
        job.download_url!.replace(/signature=(.)/, (_, first) => `signature=${first === "_" ? "-" : "_"}`),
        job.download_url!.replace(/expires=\d/, "expires=9"),
        job.download_url!.replace(/expires=\d+/, "expires=1"),
        server.context.links.sign("/downloads/jobs/..%2f..%2fetc"),
      ];
      for (const changed of tampered) {
        const response = await get(changed);
        expect([changed, response.status]).toEqual([changed, 403]);
        expect(await response.json()).toMatchObject({
          error: "This link is no longer valid. Open the job again to get a new one.",
        });
      }
    });
  });
});
