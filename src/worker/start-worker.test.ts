import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { readJob, readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { openQueue } from "#queue/open-queue.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { durations, processesNaming } from "#tests/support/media/measure.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;

function add(
  id: string,
  file: string,
  behaviour: Parameters<TestWorker["twin"]["add"]>[0]["behaviour"] = { kind: "normal" },
): string {
  const name = path.basename(file);
  worker.twin.add({ id, path: path.join(worker.folder, file), name, mimeType: "video/mp4", behaviour });
  return worker.twin.links(id);
}

beforeAll(async () => {
  worker = await openTestWorker();
  await makeClip(path.join(worker.folder, "clip.mp4"), { width: 180, height: 320, seconds: 1 });
  await makeClip(path.join(worker.folder, "long.mp4"), { width: 640, height: 480, seconds: 60, toneHz: null });
  await makeTone(path.join(worker.folder, "music.m4a"), { frequencyHz: 880, seconds: 1 });
  await worker.start(2);
});

afterAll(() => worker[Symbol.asyncDispose]());

describe("a job with good and bad videos", () => {
  it("delivers the good ones and gives the reason for each bad one in one sentence", async () => {
    const clip = await readFile(path.join(worker.folder, "clip.mp4"));
    worker.twin.add({ id: "cut", bytes: clip.subarray(0, clip.length / 2), name: "cut.mp4", mimeType: "video/mp4" });
    worker.twin.add({
      id: "text",
      bytes: Buffer.from("Not a film at all.".repeat(99)),
      name: "notes.mp4",
      mimeType: "video/mp4",
    });
    const job = await worker.create({
      input_videos: [
        add("good", "clip.mp4"),
        add("private", "clip.mp4", { kind: "notShared" }),
        worker.twin.links("cut"),
        worker.twin.links("text"),
        "nonsense",
      ],
      variants_per_video: 2,
      captions_enabled: true,
      custom_captions: ["One", "Two"],
    });
    const ended = await worker.finish(job);
    const videos = await readJobVideos(worker.context, job.id);
    expect(videos.map((video) => [video.status, video.error_message])).toEqual([
      ["Completed", null],
      ["Failed", expect.stringMatching(/^This Google Drive file is not shared\. .*retry\.$/)],
      ["Failed", expect.stringContaining("damaged")],
      ["Failed", "This file is not a video."],
      ["Failed", "This is not a link to a Google Drive file."],
    ]);
    expect(ended).toMatchObject({ status: "Completed", progress: 100, current_video: 5, total_videos: 5 });
    expect(ended.error_message).toMatch(
      /^4 of 5 videos failed; 2 files are ready\. Video 2: This Google Drive file is not shared\./,
    );
    expect(ended.download_url).not.toBeNull();
    const outputs = await readJobOutputs(worker.context, job.id);
    expect(outputs.map((output) => [output.status, output.name, output.caption])).toEqual([
      ["Completed", "001-v1-clip.mp4", "One"],
      ["Completed", "001-v2-clip.mp4", "Two"],
    ]);
  });

  it("fails with the reason if no output could be made", async () => {
    const job = await worker.create({ input_videos: [add("gone", "clip.mp4", { kind: "notFound" })] });
    const ended = await worker.finish(job);
    expect(ended.status).toBe("Failed");
    expect(ended.error_message).toMatch(/Google Drive/);
    expect(ended).toMatchObject({ download_url: null, folder_link: null });
  });

  it("delivers the outputs that do not use the failed track", async () => {
    const job = await worker.create({
      input_videos: [add("good", "clip.mp4")],
      variants_per_video: 2,
      audio_enabled: true,
      custom_audio_links: [add("music", "music.m4a"), add("no-music", "music.m4a", { kind: "notFound" })],
    });
    const ended = await worker.finish(job);
    expect(ended.status).toBe("Completed");
    expect(ended.error_message).toMatch(/^Track 2: /);
    const outputs = await readJobOutputs(worker.context, job.id);
    expect(outputs.map((output) => output.status)).toEqual(["Completed", "Failed"]);
    expect(outputs[0]!.track).toBe("music");
  });
});

// spec 3.1
it("retries after a temporary error and counts the retry", async () => {
  const job = await worker.create({ input_videos: [add("busy", "clip.mp4", { kind: "outOfOrder", times: 1 })] });
  const ended = await worker.finish(job);
  expect(ended).toMatchObject({ status: "Completed", retry_count: 1, error_message: null });
});

it("cuts segments of the right length", async () => {
  await makeClip(path.join(worker.folder, "five.mp4"), { width: 160, height: 120, seconds: 5 });
  const job = await worker.create({
    input_videos: [add("five", "five.mp4")],
    segmentation_type: "multiple",
    segment_duration: 2,
    output_folder: "../My clips",
  });
  await worker.finish(job);
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map((output) => output.name)).toEqual([
    "001-v1-s01-five.mp4",
    "001-v1-s02-five.mp4",
    "001-v1-s03-five.mp4",
  ]);
  const rows = await worker.context.db
    .selectFrom("job_outputs")
    .select("storage_key")
    .where("job_id", "=", job.id)
    .orderBy("segment")
    .execute();
  const lengths = await Promise.all(
    rows.map(async (row) => (await durations(await worker.context.storage.toLocalFile(row.storage_key!))).video),
  );
  expect(lengths.map((seconds) => Math.round(seconds * 10) / 10)).toEqual([2, 2, 1]);
  expect(rows[0]!.storage_key).not.toContain("..");
});

describe("canceling", () => {
  it("stops a running render and leaves no process or scratch file", async () => {
    const job = await worker.create({
      input_videos: [add("long", "long.mp4")],
      captions_enabled: true,
      custom_captions: ["A", "B"],
      variants_per_video: 2,
    });
    await expect
      .poll(async () => (await readJob(worker.context, job.id))!.progress, { timeout: 30_000 })
      .toBeGreaterThan(0);
    await expect.poll(async () => (await readJob(worker.context, job.id))!.seconds_left).toBeGreaterThan(0);
    expect(await cancelJob(worker.context, job.id)).toEqual({ success: true });
    expect(await readJob(worker.context, job.id)).toMatchObject({
      status: "Cancelled",
      error_message: "Job cancelled by user",
    });
    expect(await readdir(path.join(worker.folder, "scratch"))).toEqual([]);
    expect(await processesNaming(path.join(worker.folder, "scratch"))).toEqual([]);
    expect(await cancelJob(worker.context, job.id)).toEqual({ success: false, error: "The job has already finished." });
  });

  it("stops a download in flight", async () => {
    const job = await worker.create({ input_videos: [add("held", "clip.mp4", { kind: "gated" })] });
    await expect.poll(() => worker.twin.requests.some((request) => request.query.get("id") === "held")).toBe(true);
    expect(await cancelJob(worker.context, job.id)).toEqual({ success: true });
    expect((await readJobVideos(worker.context, job.id))[0]!.status).toBe("Cancelled");
  });
});

it("downloads a track once for all videos of a job", async () => {
  const job = await worker.create({
    input_videos: [add("good", "clip.mp4"), add("good-2", "clip.mp4"), add("good-3", "clip.mp4")],
    audio_enabled: true,
    custom_audio_links: [add("shared-track", "music.m4a")],
  });
  await worker.finish(job);
  const downloads = worker.twin.requests.filter(
    ({ query, range }) => query.get("id") === "shared-track" && range === null,
  );
  expect(downloads).toHaveLength(1);
});

it("fails a video whose last attempt was cut off with its worker, with the reason", async () => {
  await using other = await openTestWorker();
  const job = await other.create({ input_videos: [other.twin.links("any")] });
  await sql`update pgboss.job set state = 'active', retry_count = retry_limit, started_on = now() - interval '1 minute',
    heartbeat_on = now() - interval '1 minute'`.execute(other.context.db);
  // Simulates a kill and the next start of the only process.
  await (await openQueue({ ...other.database, isEmbedded: true }, () => {})).stop();
  await other.start();
  expect(await other.finish(job)).toMatchObject({ status: "Failed" });
  expect((await readJobVideos(other.context, job.id))[0]).toMatchObject({
    status: "Failed",
    error_message: "The worker was killed during the last attempt at this video.",
  });
});

it("hands a running video back at a clean stop: no process, no scratch file, no attempt used up", async () => {
  await using other = await openTestWorker();
  const file = path.join(other.folder, "long.mp4");
  await makeClip(file, { width: 640, height: 480, seconds: 60, toneHz: null });
  other.twin.add({ id: "long", path: file, name: "long.mp4", mimeType: "video/mp4" });
  const { stop } = await other.start();
  const job = await other.create({
    input_videos: [other.twin.links("long")],
    captions_enabled: true,
    custom_captions: ["A"],
  });
  await expect
    .poll(async () => (await readJob(other.context, job.id))!.progress, { timeout: 30_000 })
    .toBeGreaterThan(0);
  await stop();
  expect(await readdir(path.join(other.folder, "scratch"))).toEqual([]);
  expect(await processesNaming(path.join(other.folder, "scratch"))).toEqual([]);
  expect(await readJob(other.context, job.id)).toMatchObject({ status: "Processing", retry_count: 0 });
  const { rows } = await sql`select state, retry_count from pgboss.job`.execute(other.context.db);
  expect(rows).toEqual([{ state: "created", retry_count: 0 }]);
});
