import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { deleteLibraryFile } from "#operations/library/change-library-file.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

type LogEntry = { level: number; msg: string; jobId?: string; err?: { type: string; stack: string } };

const log: LogEntry[] = [];
let worker: TestWorker;
/** The code has no case for this quality: encoding throws a TypeError. */
let bugOfOurs: Job;

beforeAll(async () => {
  worker = await openTestWorker();
  await makeClip(path.join(worker.folder, "clip.mp4"), { width: 160, height: 90, seconds: 1 });
  const { db } = worker.context;
  bugOfOurs = await worker.create({
    input_videos: [addClip("fine")],
    watermark_enabled: true,
    watermark_text: "Mill",
  });
  await sql`alter table jobs drop constraint jobs_quality_check`.execute(db);
  await sql`update jobs set quality = 'unknown'`.execute(db);
  const entries = { write: (line: string) => void log.push(JSON.parse(line) as LogEntry) };
  await worker.start(2, { log: pino({ level: "warn" }, entries) });
});
afterAll(() => worker[Symbol.asyncDispose]());

function addClip(id: string): string {
  const file = path.join(worker.folder, "clip.mp4");
  worker.twin.add({ id, path: file, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  return worker.twin.links(id);
}

it("stores the code, the step and ffmpeg's last lines of each failed video", async () => {
  const clip = await readFile(path.join(worker.folder, "clip.mp4"));
  const bytes = clip.subarray(0, clip.length / 2);
  worker.twin.add({ id: "cut", bytes, name: "cut.mp4", mimeType: "video/mp4" });
  const behaviour = { kind: "notShared" } as const;
  worker.twin.add({ id: "private", bytes, name: "private.mp4", mimeType: "video/mp4", behaviour });
  const job = await worker.create({
    input_videos: [worker.twin.links("cut"), worker.twin.links("private"), "nonsense"],
  });
  await worker.finish(job);
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.map((video) => [video.error_code, video.error_step])).toEqual([
    ["damaged", "probe"],
    ["not_shared", "fetch"],
    ["bad_link", "fetch"],
  ]);
  expect(videos[0]!.error_tail).toContain("moov atom not found");
  expect(videos[0]!.error_tail).not.toContain(worker.folder);
  expect(videos.slice(1).map((video) => video.error_tail)).toEqual([null, null]);
});

it("stores the failure of a track with the outputs that use it", async () => {
  worker.twin.add({ id: "text", bytes: Buffer.from("No sound."), name: "notes.mp3", mimeType: "audio/mpeg" });
  const job = await worker.create({
    input_videos: [addClip("with-music")],
    audio_enabled: true,
    custom_audio_links: [worker.twin.links("text")],
  });
  await worker.finish(job);
  const [output] = await readJobOutputs(worker.context, job.id);
  expect(output).toMatchObject({ status: "Failed", error_code: "not_audio", error_step: "probe" });
  expect(output!.error_message).toMatch(/^Track 1: /);
  expect(output!.error_tail).toContain("Invalid data found");
  expect(output!.error_tail).not.toContain(worker.folder);
});

it("names the watermark's image if a retry finds it deleted", async () => {
  const { context } = worker;
  worker.twin.add({
    id: "hidden",
    bytes: Buffer.alloc(9),
    name: "x.mp4",
    mimeType: "video/mp4",
    behaviour: { kind: "notShared" },
  });
  await writeFile(path.join(worker.folder, "logo.png"), makePng(8, 8, [255, 0, 0, 255]));
  await context.storage.put("library/logo", path.join(worker.folder, "logo.png"));
  const facts = { size_bytes: 1, duration_seconds: 0, is_sample: false, storage_key: "library/logo" };
  await context.db
    .insertInto("library_files")
    .values({ id: "logo", name: "logo.png", kind: "image", ...facts })
    .execute();
  const job = await worker.create({
    input_videos: [worker.twin.links("hidden")],
    watermark_enabled: true,
    watermark_image: libraryLink("logo"),
  });
  await worker.finish(job);
  await deleteLibraryFile(context, "logo");
  await worker.finish(await retryJob(context, job.id));
  const [video] = await readJobVideos(context, job.id);
  expect(video).toMatchObject({
    ...{ error_code: "source_not_found", error_step: "fetch" },
    error_message: "The watermark image is no longer in the library.",
  });
});

it("ends a video as internal after one attempt when Clipmill has a bug, and logs the stack once", async () => {
  expect(await worker.finish(bugOfOurs)).toMatchObject({ status: "Failed", retry_count: 0 });
  const [video] = await readJobVideos(worker.context, bugOfOurs.id);
  expect(video).toMatchObject({
    attempts: 1,
    error_message: "An internal error in Clipmill stopped this video. The video itself is not the cause.",
    error_code: "internal",
    error_step: "encode",
    error_tail: expect.stringMatching(/^TypeError: /),
  });
  const entries = log.filter((entry) => entry.jobId === bugOfOurs.id);
  expect(entries).toMatchObject([{ level: 50, msg: "video failed", code: "internal", step: "encode" }]);
  expect(entries[0]!.err).toMatchObject({ type: "TypeError", stack: expect.stringContaining("encoder-arguments.ts") });
});
