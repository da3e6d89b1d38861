import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countFiles } from "#contract/jobs/outputs/count-files.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { listNamedFiles } from "#operations/backup/files/copy-files.ts";
import { openJobZip } from "#operations/downloads/open-job-zip.ts";
import { openOutput } from "#operations/downloads/open-stored.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { foldersOf } from "#operations/jobs/job-folders.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { unzip } from "#tests/support/unzip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
let links: string[];

beforeAll(async () => {
  worker = await openTestWorker();
  links = await Promise.all(
    ["one", "two"].map(async (id, i) => {
      const file = path.join(worker.folder, `${id}.mp4`);
      await makeClip(file, { width: 180, height: 320, seconds: 2 + i });
      worker.twin.add({
        id,
        path: file,
        name: `A/B ${id} 1/2.mp4`,
        mimeType: "video/mp4",
        behaviour: { kind: "normal" },
      });
      return worker.twin.links(id);
    }),
  );
  const music = path.join(worker.folder, "music.m4a");
  await makeClip(music, { seconds: 1, toneHz: 440, width: 64, height: 64 });
  worker.twin.add({ id: "music", path: music, name: "m.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  await worker.start(2);
});
afterAll(() => worker[Symbol.asyncDispose]());

async function finish(request: Partial<CreateJobRequest> & Pick<CreateJobRequest, "input_videos">): Promise<WholeJob> {
  const job = await worker.finish(await worker.create(request));
  expect(job).toMatchObject({ status: "Completed", error_message: null });
  return job;
}

function readOutputs(job: WholeJob) {
  return worker.context.db.selectFrom("job_outputs").selectAll().where("job_id", "=", job.id).orderBy("name").execute();
}

const storedFiles = (job: WholeJob) => worker.list(foldersOf(job).outputs);

it.each([
  ["variants of nothing", { variants_per_video: 3 }, 1],
  ["one caption for all", { variants_per_video: 2, captions_enabled: true, custom_captions: ["a"] }, 1],
  [
    "captions that are the same",
    { variants_per_video: 4, captions_enabled: true, custom_captions: ["a", "a", "b"] },
    2,
  ],
  ["clips of variants", { variants_per_video: 2, segmentation_type: "multiple", segment_duration: 1 }, 2],
  ["clips from different places", { variants_per_video: 2, segmentation_type: "single", segment_duration: 1 }, 2],
] as const)("stores %s once", async (_, input, different) => {
  const request = { ...input, custom_captions: "custom_captions" in input ? [...input.custom_captions] : [] };
  const job = await finish({ ...request, input_videos: [links[0]!] });
  expect(await storedFiles(job)).toHaveLength(different);
  const outputs = await readOutputs(job);
  expect(new Set(outputs.map((output) => output.storage_key)).size).toBe(different);
  expect(new Set(outputs.map((output) => output.thumbnail_key)).size).toBe(different);
});

it("stores a duplicate video's outputs once, and as many files as planned", async () => {
  const music = worker.twin.links("music");
  const job = await finish({
    input_videos: [links[0]!, links[1]!, links[0]!],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["a", "b"],
    audio_enabled: true,
    custom_audio_links: [music, music],
  });
  const counts = countFiles(
    job,
    job.input_videos.map((link) => ({ link, durationSeconds: null })),
  );
  expect(counts).toEqual({ files: 6, different: 4, isExact: true });
  expect(await storedFiles(job)).toHaveLength(4);
  expect(await readOutputs(job)).toHaveLength(6);
});

it("gives every copy its own download and zip entry with the whole Drive name, and a backup one file", async () => {
  const job = await finish({ input_videos: [links[0]!, links[0]!], variants_per_video: 2 });
  const outputs = await readOutputs(job);
  const stored = outputs[0]!.storage_key!;
  const bytes = await readAll(await worker.context.storage.read(stored));
  for (const output of outputs) {
    const download = await openOutput(worker.context, output.id);
    expect(download).toMatchObject({ fileName: output.name, sizeBytes: bytes.length, storageKey: stored });
  }
  const zip = await openJobZip(worker.context, job.id);
  const file = path.join(worker.folder, "copies.zip");
  await pipeline(Readable.from(zip.read({ start: 0, end: zip.sizeBytes - 1 })), createWriteStream(file));
  const paths = (await unzip(file, worker.folder)).filter((each) => each.endsWith(".mp4"));
  expect(paths.map((each) => path.basename(each))).toEqual(outputs.map(({ name }) => name));
  expect(outputs[0]!.name).toBe("001-v1-A_B one 1_2.mp4");
  for (const each of paths) expect((await readFile(each)).equals(bytes)).toBe(true);
  const named = await worker.context.db.transaction().execute((trx) => listNamedFiles(trx));
  expect(named.filter(({ key }) => key === stored)).toHaveLength(1);
  await deleteJobs(worker.context, [job.id]);
  expect(await storedFiles(job)).toEqual([]);
});

it("records one file when two videos store the same one concurrently", async () => {
  const { db } = worker.context;
  const job = await finish({ input_videos: [links[0]!, links[1]!] });
  await db.updateTable("job_videos").set({ status: "Processing" }).where("job_id", "=", job.id).execute();
  const outputs = await readOutputs(job);
  const cleared = { status: "Processing", storage_key: null, content_key: null } as const;
  await db.updateTable("job_outputs").set(cleared).where("job_id", "=", job.id).execute();
  const facts = {
    warnings: [],
    conformance: null,
    contentKey: "same",
    thumbnailKey: "t",
    cover: null,
    durationSeconds: 1,
    width: 2,
    height: 2,
    sizeBytes: 3,
    crc32: 4,
    sha256: null,
  };
  const used = await Promise.all(
    outputs.map(({ id, video_id: videoId, name: storageKey }) =>
      completeOutput(worker.context, { jobId: job.id, videoId, attempt: 1 }, { id, storageKey, ...facts }),
    ),
  );
  expect(used[0]).not.toBeNull();
  expect(new Set(used).size).toBe(1);
});

it("makes only missing files again: a retry shares the file of an earlier attempt", async () => {
  const { db } = worker.context;
  const twice = { variants_per_video: 2 };
  const job = await finish({ input_videos: [links[0]!], ...twice });
  const [kept, lost] = await readOutputs(job);
  const failed = { status: "Failed", storage_key: null, content_key: null } as const;
  await db.updateTable("job_outputs").set(failed).where("id", "=", lost!.id).execute();
  await retryJob(worker.context, job.id);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  expect((await readOutputs(job)).map((output) => output.storage_key)).toEqual([kept!.storage_key, kept!.storage_key]);
  expect(await storedFiles(job)).toHaveLength(1);
});

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
