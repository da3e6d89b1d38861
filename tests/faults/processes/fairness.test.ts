import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import type { Database } from "#database/open-database.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import type { WorkerSlots } from "#queue/slots/worker-slots.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { TEST_DATABASES } from "#tests/support/servers/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const SLOTS = 4;
const BIG_VIDEOS = 1_000;
const SMALL_JOBS = 100;
const SMALL_VIDEOS = [1, 2, 12];
const LAST_VIDEOS = 5;
/** How far the big job is when the small ones come, and how long it is watched after them. */
const BIG_VIDEOS_BEFORE = 20;
const BIG_VIDEOS_AFTER = 20;

describe.each(TEST_DATABASES)("the queue, %s", (where, openDatabase) => {
  testFault(
    {
      id: `fairness-${where.replaceAll(" ", "-")}`,
      fault: `a 1-video job, then 100 small jobs, started after a 1,000-video job (database ${where})`,
      expected: "the small jobs start as soon as a slot is free; the big job keeps making progress",
      rounds: { short: 1, full: 10 },
      secondsPerRound: 180,
    },
    () => oneRound(openDatabase),
  );
});

/** The work is simulated and takes no time; what is measured is the order in which videos are begun. */
async function oneRound(openDatabase: () => Promise<Database>): Promise<Record<string, number>> {
  const server = await startTestServer(undefined, { openDatabase });
  try {
    /** The job of each video that was begun, in that order. */
    const begun: string[] = [];
    const slots = await server.context.queue.videos.work(SLOTS, async (task) => {
      // When it is handed out: what follows waits for the processor, and for others at the same job.
      begun.push(task.jobId);
      await claimVideo(server.context, task, task.attempt);
      // The embedded database works in this thread, too: without a turn for anything else nobody could ask for a job.
      await setImmediate();
      const speaker = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
      await endVideo(server.context, speaker, { status: "Completed" });
    });
    const count = (job: Job): number => begun.filter((id) => id === job.id).length;
    const untilStarted = async (job: Job, videos: number): Promise<void> => {
      await expect.poll(() => count(job), { timeout: 120_000, interval: 5 }).toBeGreaterThanOrEqual(videos);
    };

    const big = await create(server, BIG_VIDEOS);
    await untilStarted(big, BIG_VIDEOS_BEFORE);

    const single = await create(server, 1);
    const startedBefore = begun.length;
    await untilStarted(single, 1);
    const waitOfOne = Math.max(0, begun.indexOf(single.id) - startedBefore);
    // Those that were fetched, but not begun, when the job was there.
    expect(waitOfOne, "videos started before that of the single job").toBeLessThanOrEqual(SLOTS);

    const small: { job: Job; videos: number; startedBefore: number }[] = [];
    for (let i = 0; i < SMALL_JOBS; i += 1) {
      const videos = SMALL_VIDEOS[i % SMALL_VIDEOS.length]!;
      small.push({ job: await create(server, videos), videos, startedBefore: begun.length });
    }
    for (const { job, videos } of small) await untilStarted(job, videos);
    const bigAtEnd = count(big);
    await untilStarted(big, bigAtEnd + BIG_VIDEOS_AFTER);

    const waits = small.map(({ job, startedBefore }) => waitOfFirst(begun, job, startedBefore, big));
    expect(Math.max(...waits), "big-job videos started before the first of a small job").toBeLessThanOrEqual(SLOTS);
    const gap = mostBetween(begun, big, small[0]!.job);
    // Its turn comes round once each other job has had one.
    expect(gap, "videos started between two of the big job").toBeLessThanOrEqual(SMALL_JOBS + SLOTS);
    for (const { job, videos } of small) {
      // Turn by turn, but for those at work at the same time: a new job gets at once the turns that the big one's videos in the slots
      // were ahead, and what two slots fetch at the same time is told in any order. How many come in a row is therefore asked of one slot.
      const turns = begun.slice(begun.indexOf(job.id), begun.lastIndexOf(job.id)).filter((id) => id === big.id).length;
      expect(turns, `videos of the big job among the ${videos} of a small one`).toBeGreaterThanOrEqual(
        videos - 1 - SLOTS,
      );
    }
    await requireTurns(server, slots, begun, big);
    return {
      "videos started before the single job's": waitOfOne,
      "big-job videos started before a small job's first": Math.max(...waits),
      "videos started between two of the big job's": gap,
    };
  } finally {
    await server.close();
  }
}

/** One slot, and jobs that come while nothing is handed out: nothing blurs the order then, and each job has one turn after the other. */
async function requireTurns(server: TestServer, slots: WorkerSlots, begun: string[], big: Job): Promise<void> {
  slots.setPaused(true);
  slots.setCount(1);
  await slots.settled();
  const names = new Map([[big.id, "big"]]);
  const turn = ["small 1", "small 2", "small 3", "big"];
  for (const name of turn.slice(0, 3)) names.set((await create(server, LAST_VIDEOS)).id, name);
  const startedBefore = begun.length;
  slots.setPaused(false);
  const wanted = Array.from({ length: LAST_VIDEOS }, () => turn).flat();
  const readTurns = () => begun.slice(startedBefore, startedBefore + wanted.length);
  await expect.poll(() => readTurns().length, { timeout: 120_000 }).toBe(wanted.length);
  expect(readTurns().map((id) => names.get(id))).toEqual(wanted);
}

function create(server: TestServer, videos: number): Promise<Job> {
  const links = Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/v${i}/view`);
  return server.create({ job_name: `${videos} videos`, input_videos: links });
}

/** How many of the big job's videos were begun between a small job's creation and its first video. */
function waitOfFirst(begun: string[], job: Job, startedBefore: number, big: Job): number {
  return begun.slice(startedBefore, Math.max(startedBefore, begun.indexOf(job.id))).filter((id) => id === big.id)
    .length;
}

/** The most videos of others between two of the big job's, from the first small job on. */
function mostBetween(begun: string[], big: Job, first: Job): number {
  let most = 0;
  let since = 0;
  for (const id of begun.slice(begun.indexOf(first.id))) {
    since = id === big.id ? 0 : since + 1;
    most = Math.max(most, since);
  }
  return most;
}
