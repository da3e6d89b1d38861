import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { holdJob } from "#operations/jobs/order/change-waiting-job.ts";
import { readJobVideos } from "#operations/jobs/read/read-job.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeSlowFfmpeg, type SlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const GIVE_TIME = { timeout: 30_000, interval: 20 };
const folder = await makeScratchFolder();
let clip: Buffer;
let long: Buffer;
let music: Buffer;
let worker: TestWorker;
let ffmpeg: SlowFfmpeg;

beforeAll(async () => {
  const size = { width: 64, height: 64, framesPerSecond: 10, toneHz: null };
  await makeClip(path.join(folder, "clip.mp4"), { ...size, seconds: 0.5 });
  await makeClip(path.join(folder, "long.mp4"), { ...size, seconds: 60 });
  await makeTone(path.join(folder, "music.m4a"), { frequencyHz: 880, seconds: 1 });
  const read = (name: string) => readFile(path.join(folder, name));
  [clip, long, music] = [await read("clip.mp4"), await read("long.mp4"), await read("music.m4a")];
});
beforeEach(async () => {
  worker = await openTestWorker();
  ffmpeg = await makeSlowFfmpeg(worker.folder);
  await ffmpeg.slowDown(1);
});
afterEach(() => worker[Symbol.asyncDispose]());

function add(
  id: string,
  bytes: Buffer,
  behaviour: Parameters<TestWorker["twin"]["add"]>[0]["behaviour"] = { kind: "normal" },
): string {
  worker.twin.add({ id, bytes, name: `${id}.mp4`, mimeType: "video/mp4", behaviour });
  return worker.twin.links(id);
}

const downloads = (id: string): number => worker.twin.requests.filter((request) => isDownload(request, id)).length;
const waitForDownload = (id: string) => worker.twin.waitForRequest((request) => isDownload(request, id));
/** A request of one byte is for the headers. */
function isDownload({ query, range }: TestWorker["twin"]["requests"][number], id: string): boolean {
  return query.get("id") === id && range === null;
}
const cached = async (): Promise<string[]> => {
  const root = path.join(worker.folder, "cache");
  const keys = (await readdir(root)).filter((name) => !name.startsWith("."));
  const facts = await Promise.all(keys.map((key) => readFile(path.join(root, key, "facts.json"), "utf8")));
  return facts.map((text) => (JSON.parse(text) as { name: string }).name);
};
const parts = async (): Promise<string[]> =>
  (await readdir(path.join(worker.folder, "cache"))).filter((name) => name.startsWith("."));
const start = async () =>
  worker.start(1, { tools: { ...(await testTools()), ffmpeg: ffmpeg.environment["FFMPEG_PATH"]! } });
/** Its first video encodes for a minute. */
const createLong = (links: string[], more = {}) =>
  worker.create({
    input_videos: [add("long", long), ...links],
    captions_enabled: true,
    custom_captions: ["A"],
    ...more,
  });

it("fetches the next video and its music while one encodes, and claims nothing", async () => {
  const tracks = { audio_enabled: true, custom_audio_links: [add("track-1", music), add("track-2", music)] };
  const job = await createLong([add("next", clip), add("after-next", clip)], tracks);
  await start();
  await expect.poll(cached, GIVE_TIME).toContain("next.mp4");
  await waitForDownload("track-2");
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.map((video) => video.status)).toEqual(["Processing", "Queued", "Queued"]);
  expect(downloads("after-next")).toBe(0);
  const { rows } = await sql`select state, retry_count from pgboss.job where name = 'videos'
    order by state desc`.execute(worker.context.db);
  expect(rows).toEqual([
    { state: "active", retry_count: 0 },
    { state: "created", retry_count: 0 },
    { state: "created", retry_count: 0 },
  ]);
  await cancelJob(worker.context, job.id);
});

it("stops a download whose job is canceled or held, and leaves nothing behind", async () => {
  const running = await createLong([]);
  const canceled = await worker.create({ input_videos: [add("canceled", clip, { kind: "gated" })] });
  await start();
  await waitForDownload("canceled");
  await expect.poll(parts, GIVE_TIME).toHaveLength(1);
  await cancelJob(worker.context, canceled.id);
  await expect.poll(parts, GIVE_TIME).toEqual([]);
  const held = await worker.create({ input_videos: [add("held", clip, { kind: "gated" })] });
  await waitForDownload("held");
  await expect.poll(parts, GIVE_TIME).toHaveLength(1);
  await holdJob(worker.context, held.id);
  await expect.poll(parts, GIVE_TIME).toEqual([]);
  await cancelJob(worker.context, running.id);
});

it("continues a download in flight for the video that is claimed meanwhile", async () => {
  const first = await createLong([]);
  const second = await worker.create({ input_videos: [add("shared", clip, { kind: "gated" })] });
  await start();
  await waitForDownload("shared");
  await cancelJob(worker.context, first.id);
  const status = async () => (await readJobVideos(worker.context, second.id))[0]!.status;
  await expect.poll(status, GIVE_TIME).toBe("Processing");
  worker.twin.release("shared");
  expect(await worker.finish(second)).toMatchObject({ status: "Completed" });
  expect(downloads("shared")).toBe(1);
});

it("does not count a failure against the video or its host, and calls no cooling host", async () => {
  const running = await createLong([]);
  const failing = await worker.create({
    input_videos: [add("failing", clip, { kind: "rateLimited", times: 1, retryAfterSeconds: 60 })],
  });
  await start();
  await worker.twin.waitForRequest(({ query }) => query.get("id") === "failing");
  await expect.poll(async () => (await readdir(path.join(worker.folder, "scratch"))).length, GIVE_TIME).toBe(1);
  expect(await worker.context.db.selectFrom("hosts").selectAll().execute()).toEqual([]);
  expect((await readJobVideos(worker.context, failing.id))[0]).toMatchObject({ status: "Queued", attempts: 0 });
  await worker.context.db
    .insertInto("hosts")
    .values({
      host: "google-drive",
      failures: 3,
      failed_at: new Date().toISOString(),
      reason: "Google Drive is not available.",
      cooldown_seconds: 300,
      cooling_since: new Date().toISOString(),
      cools_until: new Date(Date.now() + 300_000).toISOString(),
    })
    .execute();
  await cancelJob(worker.context, failing.id);
  await worker.create({ input_videos: [add("cooling", clip)] });
  await cancelJob(worker.context, running.id);
  const waits = () => worker.context.db.selectFrom("job_videos").select("waits_for").where("waits_for", "is not", null);
  await expect.poll(() => waits().execute(), GIVE_TIME).toHaveLength(1);
  expect(worker.twin.requests.filter(({ query }) => query.get("id") === "cooling")).toEqual([]);
});

it("fetches nothing in advance while that is switched off", async () => {
  const pages = { embeddedPages: { batchScheduler: null, warmupRobot: null }, ownOrigins: [] };
  await saveSettings(worker.context, { prefetch_sources: false }, pages);
  await ffmpeg.hurry();
  const job = await createLong([add("next", clip)]);
  await start();
  await waitForDownload("next");
  const [, next] = await readJobVideos(worker.context, job.id);
  expect(next!.status).toBe("Processing");
});
