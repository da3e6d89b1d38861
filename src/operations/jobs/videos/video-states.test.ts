import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { testFailure } from "#tests/support/test-failure.ts";
import { cancelJob } from "../cancel-job.ts";
import { claimVideo } from "./claim-video.ts";
import { reviewOutputs } from "../review/review-outputs.ts";
import { completeOutput } from "./complete-output.ts";
import { endLostVideo, endVideo } from "./end-video.ts";
import { type PlannedOutput, planOutputs } from "../create/plan-outputs.ts";
import { postponeVideo } from "../order/postpone-video.ts";
import { readJob, readJobOutputs, readJobVideos } from "../read/read-job.ts";
import { reportVideo } from "./report-video.ts";
import { retryJob } from "../retry-job.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker();
});
afterAll(() => worker[Symbol.asyncDispose]());

/** One task per video, which the test claims itself: no worker runs. */
async function createTasks(request: Partial<CreateJobRequest> = {}): Promise<{ job: Job; tasks: VideoTask[] }> {
  const job = await worker.create({ input_videos: [LINK], ...request });
  const videos = await readJobVideos(worker.context, job.id);
  return { job, tasks: videos.map((video, startTag) => ({ videoId: video.id, jobId: job.id, startTag })) };
}

function plan(task: VideoTask, attempt: number, outputs: PlannedOutput[] = someOutputs(1), durationSeconds = 10) {
  return planOutputs(worker.context, { ...task, attempt, name: "clip.mp4", durationSeconds }, outputs);
}

function someOutputs(count: number): PlannedOutput[] {
  return Array.from({ length: count }, (_, segment) => ({
    variant: 0,
    segment,
    name: `${segment}.mp4`,
    caption: null,
    track: null,
  }));
}

/** As the first report of the job for a while, which also writes the job's progress. */
async function report(task: VideoTask, attempt: number, share: number, outputs = new Map<string, number>()) {
  await worker.context.db.updateTable("jobs").set({ progress_at: null }).where("id", "=", task.jobId).execute();
  await reportVideo(worker.context, { ...task, attempt, stage: "Rendering", share, outputs });
}

describe("a cancel", () => {
  it("is not undone by an error immediately afterwards", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await sql`update pgboss.job set state = 'active' where id = ${task.videoId}`.execute(worker.context.db);
    await claimVideo(worker.context, task, 1);
    const cancelled = cancelJob(worker.context, job.id);
    await expect.poll(async () => (await readJob(worker.context, job.id))!.status).toBe("Cancelling");
    expect(await postponeVideo(worker.context, { ...task, attempt: 1 }, testFailure("The network is down."))).toBe(
      false,
    );
    await endVideo(
      worker.context,
      { ...task, attempt: 1 },
      { status: "Failed", failure: testFailure("The network is down.") },
    );
    expect(await cancelled).toEqual({ success: true });
    expect(await readJobVideos(worker.context, job.id)).toMatchObject([{ status: "Cancelled", error_message: null }]);
  });

  it("also ends the outputs of a video that waits for its next attempt", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 1);
    const [output] = (await plan(task, 1))!;
    await report(task, 1, 0.5, new Map([[output!.id, 0.5]]));
    expect(await postponeVideo(worker.context, { ...task, attempt: 1 }, testFailure("The network is down."))).toBe(
      true,
    );
    expect(await readJobOutputs(worker.context, job.id)).toMatchObject([{ status: "Queued", progress: 0 }]);
    expect(await cancelJob(worker.context, job.id)).toEqual({ success: true });
    expect(await readJobOutputs(worker.context, job.id)).toMatchObject([{ status: "Cancelled" }]);
  });
});

describe("the class of a failure", () => {
  const failure = {
    code: "render_failed",
    step: "encode",
    message: "The video could not be rendered.",
    tail: "ffmpeg /srv/secret-folder/clip.mp4: broken",
  } as const;
  const STORED = { error_code: "render_failed", error_step: "encode", error_tail: "ffmpeg [path]/clip.mp4: broken" };
  const NONE = { error_message: null, error_code: null, error_step: null, error_tail: null };

  it("accompanies the sentence while a video waits, and the next attempt clears it", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 1);
    await postponeVideo(worker.context, { ...task, attempt: 1 }, failure);
    expect(await readJobVideos(worker.context, job.id)).toMatchObject([{ status: "Queued", ...STORED }]);
    await claimVideo(worker.context, task, 2);
    expect(await readJobVideos(worker.context, job.id)).toMatchObject([{ status: "Processing", ...NONE }]);
  });

  it("is stored with a failed video and its outputs, and a retry clears it", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 1);
    const [own] = (await plan(task, 1, someOutputs(2)))!;
    const outputFailures = new Map([[own!.id, { ...failure, code: "not_audio", step: "probe" } as const]]);
    await endVideo(worker.context, { ...task, attempt: 1 }, { status: "Failed", failure, outputFailures });
    expect(await readJobVideos(worker.context, job.id)).toMatchObject([{ status: "Failed", ...STORED }]);
    expect(await readJobOutputs(worker.context, job.id)).toMatchObject([
      { status: "Failed", ...STORED, error_code: "not_audio", error_step: "probe" },
      { status: "Failed", ...STORED, error_tail: null },
    ]);
    await sql`update pgboss.job set state = 'completed' where id = ${task.videoId}`.execute(worker.context.db);
    await retryJob(worker.context, job.id);
    expect(await readJobVideos(worker.context, job.id)).toMatchObject([{ status: "Queued", ...NONE }]);
    expect(await readJobOutputs(worker.context, job.id)).toMatchObject([NONE, NONE]);
  });
});

describe("a suspended worker", () => {
  it("does not take back a video from its successor", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 2);
    expect(await claimVideo(worker.context, task, 1)).toBeNull();
    expect(await endVideo(worker.context, { ...task, attempt: 2 }, { status: "Completed" })).toBe(true);
    expect((await readJobVideos(worker.context, job.id))[0]!.status).toBe("Completed");
  });
});

describe("a video whose last attempt was lost", () => {
  it("fails only once, even if the loss is reported again after a retry", async () => {
    const { job, tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 3);
    await postponeVideo(worker.context, { ...task, attempt: 3 }, testFailure("The network is down."));
    // Killed before the last attempt's first write: the video's row never got its number.
    await sql`update pgboss.job set state = 'failed' where id = ${task.videoId}`.execute(worker.context.db);
    expect(await endLostVideo(worker.context, task, testFailure("Lost."))).toBe(true);
    expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Failed" });
    await retryJob(worker.context, job.id);
    expect(await endLostVideo(worker.context, task, testFailure("Lost."))).toBe(false);
    await claimVideo(worker.context, task, 4);
    expect(await endLostVideo(worker.context, task, testFailure("Lost."))).toBe(false);
    expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Processing" });
  });
});

describe("a file whose recording got no response", () => {
  it("still counts as recorded after a later attempt claims its video, unlike any other file", async () => {
    const { tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 1);
    const [output] = (await plan(task, 1))!;
    const facts = {
      warnings: [],
      conformance: null,
      contentKey: "content",
      thumbnailKey: "a.jpg",
      cover: null,
      durationSeconds: 1,
      width: 2,
      height: 2,
      sizeBytes: 3,
      crc32: 4,
      sha256: null,
    };
    const record = (storageKey: string, contentKey = facts.contentKey) =>
      completeOutput(worker.context, { ...task, attempt: 1 }, { id: output!.id, ...facts, storageKey, contentKey });
    expect(await record("a.mp4")).toBe("a.mp4");
    await claimVideo(worker.context, task, 2);
    expect(await record("a.mp4")).toBe("a.mp4");
    // A file remade by an attempt presumed dead does not count.
    expect(await record("b.mp4")).toBe("a.mp4");
    expect(await record("b.mp4", "other content")).toBeNull();
  });
});

describe("a verdict", () => {
  it("stays while its file does, and is lost when the file is made again", async () => {
    const { job, tasks } = await createTasks();
    await claimVideo(worker.context, tasks[0]!, 1);
    const [made] = (await plan(tasks[0]!, 1))!;
    const change = (row: object) =>
      worker.context.db.updateTable("job_outputs").set(row).where("id", "=", made!.id).execute();
    const review = (outputId: string) =>
      reviewOutputs(worker.context, [{ outputId, verdict: "rejected", reason: "Dark" }]);
    await expect(review(made!.id)).rejects.toThrow("cannot be reviewed");
    await change({ status: "Completed", storage_key: "a.mp4" });
    expect(await review(made!.id)).toMatchObject([{ id: made!.id, verdict: "rejected", reason: "Dark" }]);

    await change({ progress: 100 });
    expect((await readJobOutputs(worker.context, job.id))[0]).toMatchObject({ verdict: "rejected" });
    await change({ status: "Processing" });
    await change({ status: "Completed" });
    const unreviewed = { verdict: null, reason: null, reviewed_at: null };
    expect((await readJobOutputs(worker.context, job.id))[0]).toMatchObject(unreviewed);
  });
});

describe("a job's progress", () => {
  it("never moves back, neither after a second attempt nor after a longer video", async () => {
    const { job, tasks } = await createTasks({ input_videos: [LINK, LINK] });
    const [first, second] = tasks as [VideoTask, VideoTask];
    const progress = async () => (await readJob(worker.context, job.id))!.progress;
    const ofFirst = async () => (await readJobVideos(worker.context, job.id))[0]!.progress;
    await claimVideo(worker.context, first, 1);
    await plan(first, 1);
    await report(first, 1, 0.8);
    expect(await progress()).toBe(40);
    await claimVideo(worker.context, second, 1);
    await plan(second, 1, someOutputs(1), 70);
    await report(second, 1, 0);
    expect(await progress()).toBe(40);
    await postponeVideo(worker.context, { ...first, attempt: 1 }, testFailure("The network is down."));
    await claimVideo(worker.context, first, 2);
    await report(first, 2, 0.1);
    expect(await progress()).toBe(40);
    expect(await ofFirst()).toBe(80);
    await report(second, 1, 0.5);
    expect(await progress()).toBeGreaterThan(40);
  });

  it("counts failed videos as done, whether or not they reported before", async () => {
    const { job, tasks } = await createTasks({ input_videos: [LINK, LINK, LINK, LINK] });
    const failure = { status: "Failed", failure: testFailure("The link is broken.") } as const;
    const progress = async () => (await readJob(worker.context, job.id))!.progress;
    for (const task of tasks) await claimVideo(worker.context, task, 1);
    await endVideo(worker.context, { ...tasks[0]!, attempt: 1 }, failure);
    expect(await progress()).toBe(25);
    await report(tasks[1]!, 1, 0.4);
    expect(await progress()).toBe(35);
    await endVideo(worker.context, { ...tasks[2]!, attempt: 1 }, failure);
    await report(tasks[1]!, 1, 0.4);
    expect(await progress()).toBe(60);
  });
});

describe("the outputs of a job", () => {
  it("may number at most 10,000", async () => {
    const { job, tasks } = await createTasks({ input_videos: [LINK, LINK] });
    const [first, second] = tasks as [VideoTask, VideoTask];
    await claimVideo(worker.context, first, 1);
    await claimVideo(worker.context, second, 1);
    expect(await plan(first, 1, someOutputs(10_000))).toHaveLength(10_000);
    await expect(plan(second, 1, someOutputs(1))).rejects.toThrow(
      "A job can have at most 10,000 files, and this video would exceed that. Use longer segments or fewer variants.",
    );
    // A second attempt plans the same outputs.
    expect(await plan(first, 1, someOutputs(10_000))).toHaveLength(10_000);
    expect(await readJobOutputs(worker.context, job.id)).toHaveLength(10_000);
  });

  it("get the name of a track that only a later attempt could fetch", async () => {
    const { tasks } = await createTasks();
    const task = tasks[0]!;
    await claimVideo(worker.context, task, 1);
    await plan(task, 1, [{ ...someOutputs(1)[0]!, track: "https://drive.google.com/file/d/music/view" }]);
    expect(await plan(task, 1, [{ ...someOutputs(1)[0]!, track: "music" }])).toMatchObject([{ track: "music" }]);
  });
});
