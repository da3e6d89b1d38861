import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { S3_LIMITS } from "#storage/s3/s3-store.ts";
import { openS3Storage } from "#storage/s3/s3-storage.ts";
import { startFaultyProxy } from "#tests/support/faults/faulty-proxy.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startS3Server } from "#tests/support/twins/s3-server.ts";
import type { OpenTestStorage } from "#tests/support/servers/storages.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";

/** The first try of every transfer fails. */
const openBucketBehindBadLine: OpenTestStorage = async (folder) => {
  const server = await startS3Server();
  const tried = new Set<string>();
  const proxy = await startFaultyProxy(server.port, (request) => {
    if (tried.has(request)) return "none";
    tried.add(request);
    if (request.startsWith("PUT")) return tried.size % 2 === 0 ? "drop" : "unavailable";
    return request.startsWith("GET") && request.includes(".mp4") ? "break response" : "none";
  });
  const location = { ...server.location, endpoint: proxy.url };
  const limits = { ...S3_LIMITS, requestMs: 5_000 };
  return {
    storage: await openS3Storage(location, path.join(folder, "copies"), limits),
    list: (below) => server.list(below),
    async close() {
      await proxy.close();
      await server.close();
    },
  };
};

it("reads its source from a bucket and stores every output intact over an unreliable connection", async () => {
  await using worker = await openTestWorker({ openStorage: openBucketBehindBadLine });
  const { db, storage } = worker.context;
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  const { sizeBytes } = await storage.put("library/clip.mp4", clip);
  const file = { id: "clip", name: "clip.mp4", kind: "video", duration_seconds: 1, is_sample: false } as const;
  await db
    .insertInto("library_files")
    .values({ ...file, storage_key: "library/clip.mp4", size_bytes: sizeBytes })
    .execute();
  await worker.start();
  const job = await worker.create({
    input_videos: [libraryLink("clip")],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", error_message: null, retry_count: 0 });
  const outputs = await db.selectFrom("job_outputs").selectAll().where("job_id", "=", job.id).execute();
  expect(outputs).toHaveLength(2);
  for (const output of outputs) {
    const bytes = await buffer(await storage.read(output.storage_key!));
    expect([bytes.length, crc32(bytes)]).toEqual([output.size_bytes, output.crc32]);
  }
});
