import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { isFinal, type WholeJob } from "#contract/jobs/jobs.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { readJob, readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { listTranscripts } from "#operations/transcripts/read-transcripts.ts";
import { revokeToken } from "#operations/tokens/create-token.ts";
import { readDecodeErrors } from "#tests/support/media/measure.ts";
import { makeSlowFfmpeg, type SlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { createWorkerToken, startTestWorkerByToken } from "#tests/support/servers/by-token/worker-by-token.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startWebTwin, type WebTwin } from "#tests/support/twins/web-twin.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { openTestFolderStorage } from "#tests/support/servers/storages.ts";

const LONG = { timeout: 60_000 };
const folder = await makeScratchFolder();
let ffmpeg: SlowFfmpeg;
let twin: DriveTwin;
let web: WebTwin;
let openAi: OpenAiTwin;
let server: TestServer;
let workers = 0;
let stack = new AsyncDisposableStack();

beforeAll(async () => {
  ffmpeg = await makeSlowFfmpeg(folder);
  twin = await startDriveTwin();
  web = await startWebTwin();
  openAi = await startOpenAiTwin();
  server = await startTestServer(undefined, {
    openAiUrl: openAi.url,
    hosts: { baseUrls: baseUrlsOf(twin.url), privateSources: [web.authority] },
    openStorage: openTestFolderStorage,
  });
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
  const music = path.join(folder, "music.m4a");
  await makeTone(music, { frequencyHz: 880, seconds: 1 });
  twin.add({ id: "music", path: music, name: "music.m4a", mimeType: "audio/mp4" });
  const stored = path.join(folder, "stored.mp4");
  await makeClip(stored, { width: 180, height: 320, seconds: 1, toneHz: 660 });
  await server.context.storage.put("library/stored", stored);
  const facts = { size_bytes: 1, duration_seconds: 1, is_sample: false };
  await server.context.db
    .insertInto("library_files")
    .values({ id: "stored", name: "stored.mp4", kind: "video", storage_key: "library/stored", ...facts })
    .execute();
});
afterEach(async () => {
  await ffmpeg.hurry();
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});
afterAll(async () => {
  await server.close();
  await openAi.close();
  await web.close();
  await twin.close();
});

type Started = { id: string; folder: string; rejected: Promise<unknown>; stop: () => Promise<void> };

async function start(labels: string[] = ["far"]): Promise<Started> {
  const { id, token } = await createWorkerToken(server.context, labels);
  const own = path.join(folder, `worker-${(workers += 1)}`);
  const rejected = Promise.withResolvers<unknown>();
  const tools = { ...(await testTools()), ffmpeg: ffmpeg.environment["FFMPEG_PATH"]! };
  const { url } = server;
  const baseUrls = baseUrlsOf(twin.url);
  const worker = await startTestWorkerByToken({
    url,
    token,
    folder: own,
    baseUrls,
    tools,
    onRejected: rejected.resolve,
  });
  stack.defer(() => worker.stop());
  return { id, folder: own, rejected: rejected.promise, stop: worker.stop };
}

function create(mark: string, request: Parameters<TestServer["create"]>[0] = {}): Promise<WholeJob> {
  return server.create({
    input_videos: [twin.links("clip")],
    captions_enabled: true,
    custom_captions: [mark],
    worker_labels: "far",
    ...request,
  });
}

async function finish(job: WholeJob): Promise<WholeJob> {
  await expect.poll(async () => isFinal((await readJob(server.context, job.id))!.status), LONG).toBe(true);
  return (await readJob(server.context, job.id))!;
}

const videoOf = async (job: WholeJob) => (await readJobVideos(server.context, job.id))[0]!;

/** Waits until a worker has planned the outputs. */
const untilRendering = (job: WholeJob) =>
  vi.waitUntil(async () => (await videoOf(job)).stage === "Rendering", { timeout: 20_000 });

async function filesOf(job: WholeJob): Promise<string[]> {
  const root = path.join(server.folder, "files/outputs", job.id);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

it(
  "renders public links and library files, with music, and stores intact outputs with their covers",
  LONG,
  async () => {
    await start();
    const job = await create("Far", {
      input_videos: [twin.links("clip"), libraryLink("stored")],
      variants_per_video: 2,
      custom_captions: ["One", "Two"],
      audio_enabled: true,
      custom_audio_links: [twin.links("music")],
      cover_seconds: 0.5,
    });
    expect(await finish(job)).toMatchObject({ status: "Completed", error_message: null, progress: 100 });
    const outputs = await readJobOutputs(server.context, job.id);
    expect(outputs.map(({ name }) => name)).toEqual([
      "001-v1-clip.mp4",
      "001-v2-clip.mp4",
      "002-v1-stored.mp4",
      "002-v2-stored.mp4",
    ]);
    const files = (await filesOf(job)).filter((file) => file.endsWith(".mp4"));
    for (const file of files) expect(await readDecodeErrors(file)).toBe("");
    const rows = await server.context.db
      .selectFrom("job_outputs")
      .select(["sha256", "cover"])
      .where("job_id", "=", job.id)
      .execute();
    expect(rows.map(({ sha256 }) => String(sha256)).toSorted()).toEqual(
      (await Promise.all(files.map(sha256OfFile))).toSorted(),
    );
    expect(rows.every(({ cover }) => cover !== null)).toBe(true);
    // Nothing of the claim remains.
    expect(await server.context.db.selectFrom("worker_claims").selectAll().execute()).toEqual([]);
  },
);

it("shows subtitles, and captions in other languages, which the server's key translates", LONG, async () => {
  const words = path.join(folder, "words.srt");
  await writeFile(words, "1\n00:00:00,100 --> 00:00:00,900\nHello there\n");
  twin.add({ id: "words", path: words, name: "words.srt", mimeType: "application/x-subrip" });
  await saveServiceKey(server.context, "openai_key", TWIN_KEY);
  await start();
  const job = await create("One more", { languages: ["el"], subtitles_enabled: true, subtitles: twin.links("words") });
  expect(await finish(job)).toMatchObject({ status: "Completed", error_message: null });
  const [output] = await readJobOutputs(server.context, job.id);
  expect(output!.caption).toMatch(/^[\p{sc=Greek} ]+$/u);
  expect(output!.warnings).toEqual([]);
  const { data } = await listTranscripts(server.context, { page: 1, limit: 1 });
  expect(data).toMatchObject([{ origin: "file", line_count: 1, videos: [{ job_id: job.id }] }]);
});

it("waits, like every worker, while the model is down", LONG, async () => {
  await saveServiceKey(server.context, "openai_key", TWIN_KEY);
  const [now, later] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
  const down = { host: "openai", reason: "OpenAI is down.", failures: 3, cooldown_seconds: 60 } as const;
  await server.context.db
    .insertInto("hosts")
    .values({ ...down, failed_at: now, cooling_since: now, cools_until: later })
    .execute();
  await start();
  const job = await create("Still unknown", { languages: ["el"] });
  await expect.poll(() => videoOf(job), LONG).toMatchObject({ status: "Queued", waits_for: "openai" });
  await server.context.db.deleteFrom("hosts").execute();
  await cancelJob(server.context, job.id);
});

it("ignores jobs that require no label, or another one", LONG, async () => {
  await start();
  const [plain, other] = [
    await create("None", { worker_labels: null }),
    await create("Other", { worker_labels: "near" }),
  ];
  await finish(await create("Own"));
  for (const job of [plain, other]) expect(await readJob(server.context, job.id)).toMatchObject({ status: "Queued" });
});

it("gives its videos back when the token is revoked, and another worker finishes them", LONG, async () => {
  await ffmpeg.slowDown(60);
  const first = await start();
  const job = await create("Revoked");
  await untilRendering(job);
  const { id: accountId } = await server.context.db.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
  await revokeToken(server.context, accountId, { id: first.id, revoke: true });
  const { rows } = await sql<{
    state: string;
  }>`select state from pgboss.job where id = ${(await videoOf(job)).id}`.execute(server.context.db);
  expect(rows).toEqual([{ state: "created" }]);
  expect(await first.rejected).toMatchObject({ code: "unauthorized" });
  // As its program does.
  await first.stop();
  expect(await readdir(path.join(first.folder, "scratch"))).toEqual([]);
  await ffmpeg.hurry();
  await start();
  expect(await finish(job)).toMatchObject({ status: "Completed", error_message: null });
  expect(await filesOf(job)).toHaveLength(1);
});

it("gets files from the server's network through the server, even after a dropped connection", LONG, async () => {
  await start();
  const bytes = await readFile(path.join(folder, "clip.mp4"));
  const link = web.add("/inside.mp4", { bytes, mimeType: "video/mp4", behaviour: { kind: "truncateOnce" } });
  const job = await create("Inside", { input_videos: [link] });
  expect(await finish(job)).toMatchObject({ status: "Completed", error_message: null });
  expect((await videoOf(job)).name).toBe("inside.mp4");
});

it("stops a video whose job is canceled", LONG, async () => {
  await ffmpeg.slowDown(60);
  const { folder: own } = await start();
  const job = await create("Canceled");
  await untilRendering(job);
  expect(await cancelJob(server.context, job.id)).toEqual({ success: true });
  expect(await readJob(server.context, job.id)).toMatchObject({ status: "Cancelled" });
  await vi.waitUntil(async () => (await readdir(path.join(own, "scratch")).catch(() => [])).length === 0);
});

it("reports a failed video with its reason", LONG, async () => {
  await start();
  const job = await create("Missing", { input_videos: [twin.links("missing")] });
  expect(await finish(job)).toMatchObject({ status: "Failed" });
  expect(await videoOf(job)).toMatchObject({ error_code: "source_not_found", error_step: "fetch" });
});
