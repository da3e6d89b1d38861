import { readFile } from "node:fs/promises";
import path from "node:path";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { listNamedFiles } from "#operations/backup/files/copy-files.ts";
import { openJobZip } from "#operations/downloads/open-job-zip.ts";
import { openCover } from "#operations/downloads/open-stored.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { deleteJobs, deleteScheduledFiles } from "#operations/jobs/delete-jobs.ts";
import { coverKeyOf, foldersOf } from "#operations/jobs/job-folders.ts";
import { changeProof } from "#operations/jobs/proof/change-proof.ts";
import { readJob, readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { unzip } from "#tests/support/unzip.ts";

let worker: TestWorker;
let links: string[];

beforeAll(async () => {
  worker = await openTestWorker();
  links = await Promise.all(
    ["one", "two"].map(async (id, i) => {
      const file = path.join(worker.folder, `${id}.mp4`);
      await makeClip(file, { width: 160, height: 160, framesPerSecond: 10, seconds: 1 + i });
      worker.twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
      return worker.twin.links(id);
    }),
  );
  await worker.start(2);
});
afterAll(() => worker[Symbol.asyncDispose]());

async function finish(request: Partial<CreateJobRequest>): Promise<WholeJob> {
  const job = await worker.finish(await worker.create({ input_videos: links, ...request }));
  expect(job).toMatchObject({ status: "Completed", error_message: null });
  return job;
}

const storedFiles = async (job: WholeJob) => (await worker.list(foldersOf(job).outputs)).toSorted();

async function readCovers(job: WholeJob): Promise<Buffer[]> {
  const outputs = await readJobOutputs(worker.context, job.id);
  return await Promise.all(
    outputs.map(async ({ id, name, cover_url: url }) => {
      expect(url).toContain(`/downloads/covers/${id}?`);
      const cover = await openCover(worker.context, id);
      expect(cover).toMatchObject({ fileName: name.replace(".mp4", ".jpg"), type: "image/jpeg" });
      return await buffer(Readable.from(cover.read({ start: 0, end: cover.sizeBytes - 1 })));
    }),
  );
}

it("stores a cover beside each file, for downloads, the zip, the manifest and backups, and deletes it with the job", async () => {
  const job = await finish({ cover_seconds: 0.5 });
  const files = ["001-v1-one.mp4", "002-v1-two.mp4"];
  expect(await storedFiles(job)).toEqual(files.flatMap((name) => [name, `${name}.jpg`]));
  const covers = await readCovers(job);
  for (const cover of covers) expect(cover.subarray(0, 2).toString("hex")).toBe("ffd8");
  const zip = await openJobZip(worker.context, job.id);
  const file = path.join(worker.folder, "covers.zip");
  await pipeline(Readable.from(zip.read({ start: 0, end: zip.sizeBytes - 1 })), createWriteStream(file));
  const zipped = (await unzip(file, worker.folder)).filter((each) => each.endsWith(".jpg"));
  expect(zipped.map((each) => path.basename(each))).toEqual(["001-v1-one.jpg", "002-v1-two.jpg"]);
  expect(await Promise.all(zipped.map((each) => readFile(each)))).toEqual(covers);
  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.outputs.map(({ cover }) => cover)).toEqual(["001-v1-one.jpg", "002-v1-two.jpg"]);
  const named = await worker.context.db.transaction().execute((trx) => listNamedFiles(trx));
  const ofCovers = named.filter(({ key }) => key.startsWith(foldersOf(job).outputs) && key.endsWith(".jpg"));
  expect(new Set(ofCovers.map(({ sizeBytes }) => sizeBytes))).toEqual(new Set(covers.map(({ length }) => length)));
  await deleteJobs(worker.context, [job.id]);
  expect(await storedFiles(job)).toEqual([]);
});

it("makes covers of the rows that want one", async () => {
  const rows = links.map((link, i) => ({ link, settings: { cover_seconds: i === 0 ? null : 9 } }));
  const job = await finish({ rows });
  expect(await storedFiles(job)).toEqual(["001-v1-one.mp4", "002-v1-two.mp4", "002-v1-two.mp4.jpg"]);
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ cover_url: url }) => url === null)).toEqual([true, false]);
});

it("keeps a sample's cover when the job changes, and makes another one at another time without encoding", async () => {
  const captions = { captions_enabled: true, custom_captions: ["Sale"] };
  const job = await worker.create({ input_videos: links, ...captions, proof_count: 1, cover_seconds: 0.2 });
  const isWaiting = async () => (await readJob(worker.context, job.id))?.proof_state;
  await expect.poll(isWaiting, { timeout: 30_000 }).toBe("waiting");
  const [sample] = await readCovers(job);
  const { storage_key: key } = await worker.context.db
    .selectFrom("job_outputs")
    .select("storage_key")
    .where("job_id", "=", job.id)
    .executeTakeFirstOrThrow();
  await changeProof(worker.context, job.id, { job_name: "Renamed" });
  await expect.poll(isWaiting, { timeout: 30_000 }).toBe("waiting");
  expect(await readCovers(job)).toEqual([sample]);
  const { misses } = worker.streams.counts;
  await changeProof(worker.context, job.id, { cover_seconds: 0.8 });
  await expect.poll(isWaiting, { timeout: 30_000 }).toBe("waiting");
  expect((await readCovers(job))[0]).not.toEqual(sample);
  expect(worker.streams.counts.misses).toBe(misses);
  await changeProof(worker.context, job.id, { proof_count: 0 });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  expect(await readCovers(job)).toHaveLength(2);
  const left = () => Promise.all([key!, coverKeyOf(key!)].map((each) => worker.context.storage.sizeOf(each)));
  expect(await left()).toEqual([expect.any(Number), expect.any(Number)]);
  await deleteScheduledFiles(worker.context);
  expect(await left()).toEqual([null, null]);
});
