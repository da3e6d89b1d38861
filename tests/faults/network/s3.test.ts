import { copyFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { isFinal } from "#contract/jobs/jobs.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { S3_LIMITS } from "#storage/s3/s3-store.ts";
import { openS3Storage } from "#storage/s3/s3-storage.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { type Fault, startFaultyProxy } from "#tests/support/faults/faulty-proxy.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import type { OpenTestStorage } from "#tests/support/servers/storages.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const ATTEMPTS = 3;
const VARIANTS = 2;
/** Three parts upload at the same time; at least one of them uses up its attempts. */
const FAULTS = 3 * ATTEMPTS;
const MAX_PART_BYTES = 8 * 1024 ** 2;

/** Rows run concurrently, because they mostly wait for timeouts. */
type Installation = {
  worker: TestWorker;
  bucket: S3Server;
  /** `left` and `had` count injections. */
  trouble: { fault: Fault; left: number; had: number };
};

const folder = await makeScratchFolder();
const clip = path.join(folder, "clip.mp4");

beforeAll(async () => {
  // So noisy that the outputs, which copy its streams, upload in several parts.
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=720x1280:rate=30:duration=2,noise=alls=80:allf=t"];
  const coding = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "18", "-pix_fmt", "yuv420p"];
  await runTestFfmpeg([...picture, ...coding, clip]);
});

async function install(): Promise<Installation> {
  const trouble: Installation["trouble"] = { fault: "none", left: 0, had: 0 };
  let bucket: S3Server;
  const openBucketBehindBadLine: OpenTestStorage = async (at) => {
    bucket = await startS3Server();
    const line = await startFaultyProxy(bucket.port, (request) => {
      const isUpload = request.startsWith("PUT") || request.startsWith("POST");
      if (!isUpload || trouble.left === 0 || !request.includes("uploadId")) return "none";
      trouble.left -= 1;
      trouble.had += 1;
      return trouble.fault;
    });
    const location = { ...bucket.location, endpoint: line.url };
    const limits = { ...S3_LIMITS, attempts: ATTEMPTS, requestMs: 4_000, silenceMs: 2_000 };
    return {
      storage: await openS3Storage(location, path.join(at, "copies"), limits),
      list: (below) => bucket.list(below),
      async close() {
        await line.close();
        await bucket.close();
      },
    };
  };
  const worker = await openTestWorker({ openStorage: openBucketBehindBadLine });
  // `put` takes the file away.
  const own = path.join(worker.folder, "own-clip.mp4");
  await copyFile(clip, own);
  // With the limits of production: on a busy machine, this upload may take longer than those of the fault.
  const direct = await openS3Storage(bucket!.location, path.join(worker.folder, "direct"), S3_LIMITS);
  const { sizeBytes } = await direct.put("library/clip.mp4", own);
  if (sizeBytes < 2 * MAX_PART_BYTES) throw new Error("The clip fits into two parts.");
  const file = { id: "clip", name: "clip.mp4", kind: "video", duration_seconds: 2, is_sample: false } as const;
  await worker.context.db
    .insertInto("library_files")
    .values({ ...file, storage_key: "library/clip.mp4", size_bytes: sizeBytes })
    .execute();
  await worker.start();
  return { worker, bucket: bucket!, trouble };
}

const KINDS: [id: string, fault: Fault, words: string, shortRounds?: number][] = [
  ["s3-unavailable", "unavailable", "S3 returns 503 during an upload"],
  ["s3-slow", "slow", "S3 becomes so slow that an upload times out", 0],
  // src/storage/s3/s3-storage.test.ts covers the others for one upload, and the first row the job's retry.
  ["s3-silent", "silence", "S3 stops responding during an upload", 0],
  ["s3-drop", "drop", "S3 drops the connection during an upload", 0],
  ["s3-response-lost", "lose response", "S3's responses are lost during an upload", 0],
];

describe.concurrent("an upload", () => {
  for (const [id, kind, fault, short = 1] of KINDS) {
    let installation: Promise<Installation> | null = null;
    afterAll(async () => (await installation)?.worker[Symbol.asyncDispose]());
    testFault(
      {
        id,
        fault,
        expected: "the video is retried, the job Completed, all files intact, no unfinished upload left",
        rounds: { short, full: 20 },
        secondsPerRound: 150,
      },
      async () => uploadBadly(kind, await (installation ??= install())),
    );
  }
});

async function uploadBadly(fault: Fault, { worker, bucket, trouble }: Installation): Promise<Record<string, number>> {
  Object.assign(trouble, { fault, left: FAULTS, had: 0 });
  const startedMs = performance.now();
  const job = await worker.create({ input_videos: [libraryLink("clip")], variants_per_video: VARIANTS });
  // Not `worker.finish`: its `expect.poll` does not support concurrent tests.
  await vi.waitUntil(async () => isFinal((await readJob(worker.context, job.id))!.status), { timeout: 100_000 });
  const ended = (await readJob(worker.context, job.id))!;
  expect(ended.error_message).toBeNull();
  expect(ended.status).toBe("Completed");
  expect(ended.retry_count).toBeGreaterThan(0);
  expect(trouble).toMatchObject({ left: 0, had: FAULTS });
  expect(await bucket.openUploads()).toEqual([]);
  const { db, storage } = worker.context;
  const outputs = await db.selectFrom("job_outputs").selectAll().where("job_id", "=", job.id).execute();
  expect(outputs).toHaveLength(VARIANTS);
  for (const output of outputs) {
    const bytes = await buffer(await storage.read(output.storage_key!));
    expect([bytes.length, crc32(bytes)]).toEqual([output.size_bytes, output.crc32]);
  }
  await storage.removeAll(path.dirname(outputs[0]!.storage_key!));
  return { "s for the job": (performance.now() - startedMs) / 1_000, "failed attempts": ended.retry_count };
}
