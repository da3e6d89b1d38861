import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Job, WholeJob } from "#contract/jobs/jobs.ts";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { cancelJob } from "../cancel-job.ts";
import { deleteJobs, deleteScheduledFiles } from "../delete-jobs.ts";
import { foldersOf } from "../job-folders.ts";
import { holdJob, releaseJob } from "../order/change-waiting-job.ts";
import { retryNow } from "../order/retry-now.ts";
import { readJob, readJobOutputs, readJobVideos } from "../read/read-job.ts";
import { retryJob } from "../retry-job.ts";
import { approveProof } from "./approve-proof.ts";
import { changeProof } from "./change-proof.ts";
import { stopProof } from "./decide-proof.ts";

let worker: TestWorker;
let link: string;

beforeAll(async () => {
  worker = await openTestWorker();
  const file = path.join(worker.folder, "one.mp4");
  await makeClip(file, { width: 90, height: 160, seconds: 1, toneHz: null });
  worker.twin.add({ id: "one", path: file, name: "one.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  link = worker.twin.links("one");
  await worker.start(2);
});
afterAll(() => worker[Symbol.asyncDispose]());

const read = async (job: Pick<Job, "id">): Promise<WholeJob> => (await readJob(worker.context, job.id))!;
const stored = async (job: Job) =>
  worker.context.db
    .selectFrom("job_outputs")
    .select(["id", "status", "storage_key", "updated_at"])
    .where("job_id", "=", job.id)
    .orderBy("name")
    .execute();
const openTasks = async () => {
  const videos = (await worker.context.queue.measure()).find(({ name }) => name === "videos")!;
  return videos.waiting + videos.held + videos.postponed + videos.active;
};
const captions = { captions_enabled: true, custom_captions: ["a", "b", "c"], quality: "draft" } as const;

async function createWaiting(request: Parameters<TestWorker["create"]>[0]): Promise<WholeJob> {
  const job = await worker.create(request);
  expect(job).toMatchObject({ proof_state: "making", awaiting_approval: false });
  await expect.poll(async () => (await read(job)).awaiting_approval, { timeout: 30_000 }).toBe(true);
  return read(job);
}

it("makes exactly 3 of 200 before approval, and encodes nothing again after it", async () => {
  const request = { ...captions, custom_captions: [...captions.custom_captions], proof_count: 3 };
  const before = worker.streams.counts.misses;
  const job = await createWaiting({ ...request, input_videos: Array.from({ length: 200 }, () => link) });
  expect(job).toMatchObject({ status: "Processing", progress: 1.5, seconds_left: null, waiting_videos: 197 });
  const samples = await stored(job);
  expect(samples.map(({ status }) => status)).toEqual(["Completed", "Completed", "Completed"]);
  const encoded = worker.streams.counts.misses;
  expect(encoded - before).toBe(3);
  await expect.poll(openTasks).toBe(0);

  // Rendering the other 197 takes longer than a test should.
  await holdJob(worker.context, job.id);
  // Two tabs: one of the decisions is rejected.
  const decisions = await Promise.allSettled([
    approveProof(worker.context, job.id),
    approveProof(worker.context, job.id),
  ]);
  const rejected = decisions.filter(({ status }) => status === "rejected");
  expect(rejected).toMatchObject([{ reason: { message: "The samples were already approved." } }]);
  expect(await stored(job)).toEqual(samples);
  expect(await openTasks()).toBe(197);
  expect(await cancelJob(worker.context, job.id)).toEqual({ success: true });
}, 60_000);

it.runIf(isFullRun)(
  "renders 200 videos after 3 samples without encoding any again",
  async () => {
    const before = worker.streams.counts.misses;
    const request = { ...captions, custom_captions: ["h", "i", "j"], proof_count: 3 };
    const job = await createWaiting({ ...request, input_videos: Array.from({ length: 200 }, () => link) });
    const samples = await stored(job);
    await approveProof(worker.context, job.id);
    const ended = await worker.finish(job);
    expect(ended).toMatchObject({ status: "Completed", progress: 100, retry_count: 0, awaiting_approval: false });
    const outputs = await stored(job);
    expect(outputs).toHaveLength(200);
    expect(outputs.slice(0, 3)).toEqual(samples);
    // The other videos are copies of the three.
    expect(worker.streams.counts.misses - before).toBe(3);
    expect((await readJobVideos(worker.context, job.id)).every(({ attempts }) => attempts === 1)).toBe(true);
  },
  120_000,
);

it("makes only the other variants of a sampled video after approval", async () => {
  const request = { ...captions, custom_captions: ["d", "e", "f", "g"], variants_per_video: 2, proof_count: 1 };
  const job = await createWaiting({ ...request, input_videos: [link, link], proof_pick: "rows", proof_rows: "2" });
  const [sample] = await stored(job);
  expect(await readJobVideos(worker.context, job.id)).toMatchObject([
    { status: "Queued", progress: 0, attempts: 0 },
    { status: "Queued", progress: 50, attempts: 1 },
  ]);
  expect(job.progress).toBe(25);
  // Nothing can come from the cache.
  await rm(path.join(worker.folder, "streams"), { recursive: true });
  const before = worker.streams.counts.misses;
  await holdJob(worker.context, job.id);
  expect(await approveProof(worker.context, job.id)).toMatchObject({ proof_state: "approved", waiting_videos: 2 });
  await releaseJob(worker.context, job.id);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", retry_count: 0 });
  expect(worker.streams.counts.misses - before).toBe(3);
  const outputs = await stored(job);
  expect(outputs).toHaveLength(4);
  expect(outputs).toContainEqual({ ...sample, updated_at: expect.any(String) });
}, 60_000);

it("makes only what no longer fits after a change, and deletes what is not used at the end", async () => {
  const request = { ...captions, custom_captions: ["k", "l"], proof_count: 2 };
  const job = await createWaiting({ ...request, input_videos: [link, link, link] });
  const before = await stored(job);
  const change = async (settings: Record<string, unknown>) => {
    const changed = await changeProof(worker.context, job.id, settings);
    expect(changed).toMatchObject({ status: "Processing", proof_state: "making", progress: 0 });
    await expect.poll(async () => (await read(job)).awaiting_approval, { timeout: 30_000 }).toBe(true);
    return stored(job);
  };
  // Nothing can come from the cache.
  await rm(path.join(worker.folder, "streams"), { recursive: true, force: true });
  let encoded = worker.streams.counts.misses;
  const other = await change({ custom_captions: ["k", "m"], job_name: "Changed" });
  expect(other.map((output) => output.storage_key)).toEqual([before[0]!.storage_key, expect.any(String)]);
  expect(other[1]!.storage_key).not.toBe(before[1]!.storage_key);
  const approve = (shown: { id: string }[]) =>
    approveProof(worker.context, job.id, { samples: shown.map(({ id }) => id) });
  await expect(approve(before)).rejects.toThrow("The samples have changed. Look at them again.");
  expect(worker.streams.counts.misses - encoded).toBe(1);
  await rm(path.join(worker.folder, "streams"), { recursive: true, force: true });
  encoded = worker.streams.counts.misses;
  const back = await change({ custom_captions: ["k", "l"], input_videos: [link, link] });
  expect(back.map((output) => output.storage_key)).toEqual(before.map((output) => output.storage_key));
  expect(worker.streams.counts.misses).toBe(encoded);
  expect(await read(job)).toMatchObject({ job_name: "Changed", total_videos: 2, retry_count: 0, progress: 100 });
  await expect(changeProof(worker.context, job.id, { custom_captions: [] })).rejects.toThrow(/no captions provided/);
  await expect(changeProof(worker.context, job.id, { output_folder: "x" })).rejects.toThrow(/cannot be changed/);
  // The files are the same again, but the job has another name.
  await expect(approve(before)).rejects.toThrow("The samples have changed. Look at them again.");
  expect(await approve(back)).toMatchObject({ status: "Completed" });
  await deleteScheduledFiles(worker.context);
  // The folder of the replaced file stays.
  const files = await worker.list(foldersOf(job).outputs);
  expect(files.filter((name) => name.endsWith(".mp4"))).toHaveLength(2);
  await expect(changeProof(worker.context, job.id, {})).rejects.toThrow("The job has already finished.");
}, 60_000);

it("waits with a failed sample, which a retry makes again, and a stop ends the job with its samples", async () => {
  const gone = worker.twin.links("gone");
  const job = await createWaiting({ input_videos: [link, gone, link, link], proof_count: 2 });
  expect(job.failed_videos).toBe(1);
  expect((await readJobVideos(worker.context, job.id))[1]).toMatchObject({
    status: "Failed",
    error_message: expect.any(String),
  });
  await expect(retryJob(worker.context, job.id)).rejects.toThrow("The job is still running.");
  expect(await deleteJobs(worker.context, [job.id])).toMatchObject({ deleted: [], refused: [{ id: job.id }] });
  const file = path.join(worker.folder, "one.mp4");
  worker.twin.add({
    id: "gone",
    path: file,
    name: "gone.mp4",
    mimeType: "video/mp4",
    behaviour: { kind: "notShared" },
  });
  expect(await retryNow(worker.context, job.id, {})).toEqual({ success: true });
  await expect.poll(async () => (await readJobVideos(worker.context, job.id))[1]!.attempts).toBe(2);
  await expect.poll(async () => (await read(job)).awaiting_approval).toBe(true);
  const stopped = await stopProof(worker.context, job.id);
  expect(stopped).toMatchObject({
    status: "Completed",
    proof_state: "stopped",
    error_message: expect.stringContaining(
      "The job was stopped after its samples. 1 of 4 videos failed; 1 file is ready.",
    ),
  });
  expect(stopped.download_url).not.toBeNull();
  expect((await readJobOutputs(worker.context, job.id)).map(({ status }) => status)).toEqual(["Completed"]);
  await expect(stopProof(worker.context, job.id)).rejects.toThrow("The job has already finished.");
}, 60_000);

it("forgets that samples waited, so that their videos do not fail for it later", async () => {
  const set = (id: string, kind: "normal" | "notShared" | "quotaExceeded") => {
    const file = path.join(worker.folder, "one.mp4");
    worker.twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4", behaviour: { kind } });
    return worker.twin.links(id);
  };
  const links = [set("busy", "quotaExceeded"), set("lost", "quotaExceeded")];
  const job = await worker.create({ quality: "draft", variants_per_video: 2, input_videos: links, proof_count: 2 });
  const readWaits = async () => (await readJobVideos(worker.context, job.id)).map((video) => video.waiting_since);
  await expect.poll(readWaits).toEqual([expect.any(String), expect.any(String)]);
  set("busy", "normal");
  set("lost", "notShared");
  expect(await retryNow(worker.context, job.id, {})).toEqual({ success: true });
  await expect.poll(async () => (await read(job)).awaiting_approval).toBe(true);
  expect(await readWaits()).toEqual([null, expect.any(String)]);
  await holdJob(worker.context, job.id);
  await approveProof(worker.context, job.id);
  expect(await readWaits()).toEqual([null, null]);
  await cancelJob(worker.context, job.id);
}, 60_000);

it("can be cancelled while it waits, and rejects decisions too early, too late and without a proof", async () => {
  const job = await createWaiting({ input_videos: [link, link], proof_count: 1 });
  expect(await cancelJob(worker.context, job.id)).toEqual({ success: true });
  expect(await read(job)).toMatchObject({ status: "Cancelled", awaiting_approval: false });
  await expect(approveProof(worker.context, job.id)).rejects.toThrow("The job has already finished.");
  const held = await worker.create({ input_videos: [worker.twin.links("slow")], proof_count: 1 });
  await expect(approveProof(worker.context, held.id)).rejects.toThrow(/still being made|already finished/);
  await cancelJob(worker.context, held.id);
  const other = await worker.create({ input_videos: [link] });
  await expect(approveProof(worker.context, other.id)).rejects.toThrow(/is not waiting for approval|already finished/);
  await worker.finish(other);
}, 60_000);

it("rejects an approval that misses a sample which was made again", async () => {
  const job = await createWaiting({ input_videos: [link, worker.twin.links("late")], proof_count: 2 });
  const idsOf = async () => (await stored(job)).map(({ id }) => id);
  const shown = await idsOf();
  const file = path.join(worker.folder, "one.mp4");
  worker.twin.add({ id: "late", path: file, name: "late.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  expect(await retryNow(worker.context, job.id, {})).toEqual({ success: true });
  await expect.poll(async () => (await read(job)).awaiting_approval).toBe(true);
  const approve = (samples: string[]) => approveProof(worker.context, job.id, { samples });
  await expect(approve(shown)).rejects.toThrow("The samples have changed. Look at them again.");
  expect(await approve((await idsOf()).toReversed())).toMatchObject({ status: "Completed" });
}, 60_000);

it("completes on approval if the samples are all there is", async () => {
  const job = await createWaiting({ input_videos: [link], proof_count: 5 });
  expect(job).toMatchObject({ status: "Processing", progress: 100 });
  expect(await approveProof(worker.context, job.id)).toMatchObject({ status: "Completed", error_message: null });
}, 60_000);
