import { expect } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import type { TaskSlots } from "#queue/slots/task-slots.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const SLOTS = 4;
const BIG_VIDEOS = isFullRun ? 1_000 : 300;
const SMALL_JOBS = isFullRun ? 100 : 30;
const SMALL_VIDEOS = [1, 2, 12];
const LAST_VIDEOS = 5;
/** The big job's started videos before the small jobs are created, and the number awaited at the end. */
const BIG_VIDEOS_BEFORE = 20;
const BIG_VIDEOS_AFTER = 20;

testFault(
  {
    id: "fairness",
    fault: `a 1-video job, then ${SMALL_JOBS} small jobs, started after a ${BIG_VIDEOS.toLocaleString("en")}-video job`,
    expected: "the small jobs start as soon as a slot is free; the big job keeps making progress",
    rounds: { short: 1, full: 10 },
    secondsPerRound: 180,
  },
  oneRound,
);

/** Measures the order in which videos start; processing takes no time. */
async function oneRound(): Promise<Record<string, number>> {
  const server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  try {
    const startedJobs: string[] = [];
    const slots = await server.context.queue.videos.work(SLOTS, async (task) => {
      // Recorded on claim, because the steps below also wait for the CPU and for other videos of the job.
      startedJobs.push(task.jobId);
      await claimVideo(server.context, task, task.attempt);
      const attempt = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
      await endVideo(server.context, attempt, { status: "Completed" });
    });
    const count = (job: Job): number => startedJobs.filter((id) => id === job.id).length;
    const untilStarted = async (job: Job, videos: number): Promise<void> => {
      await expect.poll(() => count(job), { timeout: 120_000, interval: 5 }).toBeGreaterThanOrEqual(videos);
    };

    const big = await create(server, BIG_VIDEOS);
    await untilStarted(big, BIG_VIDEOS_BEFORE);

    const single = await create(server, 1);
    const startedBefore = startedJobs.length;
    await untilStarted(single, 1);
    const waitOfOne = Math.max(0, startedJobs.indexOf(single.id) - startedBefore);
    // Videos claimed but not yet started when the job was created.
    expect(waitOfOne, "videos started before that of the single job").toBeLessThanOrEqual(SLOTS);

    const small: { job: Job; videos: number; startedBefore: number }[] = [];
    for (let i = 0; i < SMALL_JOBS; i += 1) {
      const videos = SMALL_VIDEOS[i % SMALL_VIDEOS.length]!;
      small.push({ job: await create(server, videos), videos, startedBefore: startedJobs.length });
    }
    for (const { job, videos } of small) await untilStarted(job, videos);
    const bigAtEnd = count(big);
    await untilStarted(big, bigAtEnd + BIG_VIDEOS_AFTER);

    const waits = small.map(({ job, startedBefore }) => waitOfFirst(startedJobs, job, startedBefore, big));
    expect(Math.max(...waits), "big-job videos started before the first of a small job").toBeLessThanOrEqual(SLOTS);
    const gap = maxBetween(startedJobs, big, small[0]!.job);
    // The big job has its turn after every other job has had one.
    expect(gap, "videos started between two of the big job").toBeLessThanOrEqual(SMALL_JOBS + SLOTS);
    for (const { job, videos } of small) {
      // With several slots, turns are not strict: a new job catches up on the turns of the big job's running videos,
      // and concurrent claims have no fixed order. `requireTurns` therefore checks the exact order with one slot.
      const turns = startedJobs
        .slice(startedJobs.indexOf(job.id), startedJobs.lastIndexOf(job.id))
        .filter((id) => id === big.id).length;
      expect(turns, `videos of the big job among the ${videos} of a small one`).toBeGreaterThanOrEqual(
        videos - 1 - SLOTS,
      );
    }
    await requireTurns(server, slots, startedJobs, big);
    return {
      "videos started before the single job's": waitOfOne,
      "big-job videos started before a small job's first": Math.max(...waits),
      "videos started between two of the big job's": gap,
    };
  } finally {
    await server.close();
  }
}

/** Uses one slot, and creates jobs while the worker is paused, so that the order is deterministic. */
async function requireTurns(server: TestServer, slots: TaskSlots, startedJobs: string[], big: Job): Promise<void> {
  slots.setPaused(true);
  slots.setCount(1);
  await slots.settled();
  // Concurrent claims may leave the queue's virtual time behind; a single claim brings it up to date.
  const startedWithAll = startedJobs.length;
  slots.setPaused(false);
  await expect.poll(() => startedJobs.length, { timeout: 120_000, interval: 1 }).toBeGreaterThan(startedWithAll);
  slots.setPaused(true);
  await slots.settled();
  const names = new Map([[big.id, "big"]]);
  const turn = ["small 1", "small 2", "small 3", "big"];
  for (const name of turn.slice(0, 3)) names.set((await create(server, LAST_VIDEOS)).id, name);
  const startedBefore = startedJobs.length;
  slots.setPaused(false);
  const wanted = Array.from({ length: LAST_VIDEOS }, () => turn).flat();
  const readTurns = () => startedJobs.slice(startedBefore, startedBefore + wanted.length);
  await expect.poll(() => readTurns().length, { timeout: 120_000 }).toBe(wanted.length);
  expect(readTurns().map((id) => names.get(id))).toEqual(wanted);
}

function create(server: TestServer, videos: number): Promise<Job> {
  const links = Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/v${i}/view`);
  return server.create({ job_name: `${videos} videos`, input_videos: links });
}

/** Counts the big job's videos between a small job's creation and its first video. */
function waitOfFirst(startedJobs: string[], job: Job, startedBefore: number, big: Job): number {
  return startedJobs
    .slice(startedBefore, Math.max(startedBefore, startedJobs.indexOf(job.id)))
    .filter((id) => id === big.id).length;
}

/** Returns the longest run of other jobs' videos between two of the big job's, counted from the first small job. */
function maxBetween(startedJobs: string[], big: Job, first: Job): number {
  let most = 0;
  let since = 0;
  for (const id of startedJobs.slice(startedJobs.indexOf(first.id))) {
    since = id === big.id ? 0 : since + 1;
    most = Math.max(most, since);
  }
  return most;
}
