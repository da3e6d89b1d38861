import { writeFile } from "node:fs/promises";
import path from "node:path";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeleteJobsResponse, JobEventsResponse, JobOutputsResponse, JobVideosResponse } from "#contract/calls.ts";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { foldersOf } from "#operations/jobs/job-folders.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const NOT_SHARED = { code: "not_shared", step: "fetch", message: "This file is not shared.", tail: null } as const;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const linkOf = (name: string) => `https://drive.google.com/file/d/${name}/view`;

describe("jobs that have ended", () => {
  let server: TestServer;
  const broken = new Set<string>();
  const attempts: [string, number][] = [];
  /** No video is claimed before. */
  let isPrepared = Promise.resolve();

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    await server.context.queue.videos.work(2, processVideo);
  });
  afterAll(() => server.close());

  /** Stores a short text instead of a video file. */
  async function processVideo(task: ClaimedTask): Promise<void> {
    await isPrepared;
    const { context } = server;
    const claim = await claimVideo(context, task, task.attempt);
    if (!claim) return;
    const { link } = claim.video;
    attempts.push([link, task.attempt]);
    const attemptRef = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
    if (broken.has(link)) {
      await endVideo(context, attemptRef, { status: "Failed", failure: NOT_SHARED });
      return;
    }
    const place = { ...attemptRef, name: "film.mp4", durationSeconds: 1 };
    const name = `${claim.video.position + 1}.mp4`;
    const outputs = await planOutputs(context, place, [{ variant: 0, segment: 0, name, caption: null, track: null }]);
    for (const output of outputs!) {
      const local = path.join(server.folder, output.id);
      await writeFile(local, "a film");
      const storageKey = `${foldersOf(claim.job).outputs}/${name}`;
      const thumbnailKey = `${foldersOf(claim.job).thumbnails}/${output.id}.jpg`;
      const stored = await context.storage.put(storageKey, local);
      const facts = { storageKey, thumbnailKey, cover: null, durationSeconds: 1, width: 2, height: 2, ...stored };
      await completeOutput(context, attemptRef, {
        id: output.id,
        warnings: [],
        conformance: null,
        contentKey: output.id,
        ...facts,
      });
    }
    await endVideo(context, attemptRef, { status: "Completed" });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its action's response
  async function call<T>(body: Record<string, unknown>): Promise<{ status: number; data: T }> {
    const { data, error } = await server.client.functions.invoke<T>("jobs", { body });
    if (!error) return { status: 200, data: data as T };
    if (!(error instanceof FunctionsHttpError)) throw error;
    const response = error.context as Response;
    return { status: response.status, data: (await response.json()) as T };
  }

  async function finish(id: string): Promise<Job> {
    await expect.poll(async () => isFinal((await readJob(server.context, id))!.status)).toBe(true);
    return (await readJob(server.context, id))!;
  }

  it("retries failed videos and keeps finished ones", async () => {
    broken.add(linkOf("retry-b"));
    const created = await server.create({ input_videos: ["retry-a", "retry-b", "retry-c"].map(linkOf) });
    const job = await finish(created.id);
    expect(job).toMatchObject({ status: "Completed", error_message: expect.stringContaining("1 of 3 videos failed") });
    const { data: before } = await call<JobOutputsResponse>({ action: "outputs", jobId: job.id });

    broken.clear();
    const retried = await call<{ data: Job }>({ action: "retry", jobId: job.id });
    expect(retried.status).toBe(200);
    expect(retried.data.data).toMatchObject({ id: job.id, error_message: null, download_url: null });
    const ended = await finish(job.id);
    expect(ended).toMatchObject({ status: "Completed", error_message: null, progress: 100, retry_count: 1 });
    const { data: after } = await call<JobOutputsResponse>({ action: "outputs", jobId: job.id });
    expect(after.data.map((output) => [output.name, output.status])).toEqual([
      ["1.mp4", "Completed"],
      ["2.mp4", "Completed"],
      ["3.mp4", "Completed"],
    ]);
    // Attempt numbers are never reused, so that a stale attempt cannot write.
    const made = attempts.filter(([link]) => link.includes("retry-")).map(([link, attempt]) => `${link} ${attempt}`);
    const wanted = ["retry-a/view 1", "retry-b/view 1", "retry-b/view 2", "retry-c/view 1"];
    expect(made.map((line) => line.replace(/^.*\/d\//, "")).toSorted()).toEqual(wanted);
    expect(after.data.filter((output) => before.data.some((done) => done.id === output.id))).toEqual(before.data);
    const again = await call({ action: "retry", jobId: job.id });
    expect(again).toMatchObject({ status: 409, data: { error: "Nothing failed in this job." } });
  });

  it("retries a failed job any number of times", async () => {
    broken.add(linkOf("often"));
    const job = await finish((await server.create({ input_videos: [linkOf("often")] })).id);
    for (let round = 2; round <= 4; round += 1) {
      expect((await call({ action: "retry", jobId: job.id })).status).toBe(200);
      expect(await finish(job.id)).toMatchObject({ status: "Failed", error_message: "This file is not shared." });
    }
    const { data } = await call<JobVideosResponse>({ action: "videos", jobId: job.id });
    const failure = { error_message: "This file is not shared.", error_code: "not_shared", error_step: "fetch" };
    expect(data.data).toMatchObject([{ attempts: 4, status: "Failed", ...failure, error_tail: null }]);
    broken.clear();
  });

  it("returns a job's history of status changes", async () => {
    broken.add(linkOf("history"));
    const job = await finish((await server.create({ input_videos: [linkOf("history")] })).id);
    broken.clear();
    const { data } = await call<JobEventsResponse>({ action: "events", jobId: job.id });
    expect(data.data.map((event) => [event.video_id === null, event.status, event.attempt, event.message])).toEqual([
      [true, "Queued", null, null],
      [false, "Processing", 1, null],
      [true, "Processing", null, null],
      [false, "Failed", 1, "This file is not shared."],
      [true, "Failed", null, "This file is not shared."],
    ]);
    expect(data.total).toBe(5);
    const newest = await call<JobEventsResponse>({ action: "events", jobId: job.id, limit: 2 });
    expect(newest.data).toEqual({ data: data.data.slice(-2), total: 5 });
    expect((await call({ action: "events", jobId: job.id, limit: 0 })).status).toBe(400);
  });

  it("keeps the files of other jobs, whatever their output folder", async () => {
    const { db, storage } = server.context;
    const first = await server.create();
    const second = await server.create({ output_folder: first.id });
    expect(second.output_folder).toBe(`_${first.id}`);
    const prepared = Promise.withResolvers<void>();
    isPrepared = prepared.promise;
    const third = await server.create();
    // As earlier versions stored it.
    await db.updateTable("jobs").set({ output_folder: first.id }).where("id", "=", third.id).execute();
    prepared.resolve();
    const keys: string[] = [];
    for (const { id } of [first, second, third]) {
      await finish(id);
      const output = db.selectFrom("job_outputs").select("storage_key").where("job_id", "=", id);
      keys.push((await output.executeTakeFirstOrThrow()).storage_key!);
    }
    const sizes = () => Promise.all(keys.map((key) => storage.sizeOf(key)));
    expect(keys[2]).toContain(`outputs/${first.id}/${third.id}/`);
    await call({ action: "delete", jobIds: [first.id] });
    expect((await sizes()).slice(1)).toEqual([6, 6]);
    await call({ action: "delete", jobIds: [third.id] });
    expect(await sizes()).toEqual([null, 6, null]);
    expect(await db.selectFrom("pending_file_deletions").selectAll().execute()).toEqual([]);
  });

  it("deletes several together with their files, and rejects running ones individually", async () => {
    const [first, second] = [await server.create({ output_folder: "Mine" }), await server.create()];
    await finish(first.id);
    await finish(second.id);
    const running = await server.create();
    // From here on, nothing else writes its status.
    await finish(running.id);
    await server.context.db.updateTable("jobs").set({ status: "Processing" }).where("id", "=", running.id).execute();
    const keys = await server.context.db
      .selectFrom("job_outputs")
      .select("storage_key")
      .where("job_id", "in", [first.id, second.id])
      .execute();
    const sizes = () => Promise.all(keys.map((row) => server.context.storage.sizeOf(row.storage_key!)));
    expect(await sizes()).toEqual([6, 6]);
    const jobIds = [first.id, running.id, second.id, UNKNOWN_ID, first.id];
    const { data } = await call<DeleteJobsResponse>({ action: "delete", jobIds });
    expect(data).toEqual({
      deleted: [first.id, second.id, UNKNOWN_ID],
      refused: [{ id: running.id, error: "The job is still running. Cancel it first." }],
    });
    expect(await sizes()).toEqual([null, null]);
    expect(await readJob(server.context, first.id)).toBeNull();
    expect(await server.context.db.selectFrom("pending_file_deletions").selectAll().execute()).toEqual([]);
    expect((await call({ action: "events", jobId: first.id })).status).toBe(404);
    expect((await call({ action: "events", jobId: first.id, limit: 2 })).status).toBe(404);
  });

  it.each([
    [{ action: "retry", jobId: UNKNOWN_ID }, 404, "The job does not exist."],
    [{ action: "retry", jobId: "x" }, 400, "The job ID is missing or not valid."],
    [{ action: "videos", jobId: UNKNOWN_ID }, 404, "The job does not exist."],
    [{ action: "outputs" }, 400, "The job ID is missing or not valid."],
    [{ action: "delete", jobIds: [] }, 400, expect.stringMatching(/^jobIds: /)],
    [{ action: "delete", jobIds: ["x"] }, 400, expect.stringMatching(/^jobIds\.0: /)],
  ])("rejects %j", async (body, status, error) => {
    expect(await call(body)).toMatchObject({ status, data: { error } });
  });

  it("rejects a retry of a running or canceled job", async () => {
    const job = await finish((await server.create()).id);
    const set = (status: Job["status"]) =>
      server.context.db.updateTable("jobs").set({ status }).where("id", "=", job.id).execute();
    await set("Cancelling");
    expect((await call({ action: "retry", jobId: job.id })).status).toBe(409);
    await set("Cancelled");
    expect((await call({ action: "retry", jobId: job.id })).status).toBe(409);
  });
});
