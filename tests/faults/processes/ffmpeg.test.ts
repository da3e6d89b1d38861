import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { readJobEvents, readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, readDecodeErrors, processesNaming } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const SECONDS = 4;
/** Long enough that an ffmpeg waiting for a busy CPU does not count as stalled. */
const STALL_SECONDS = 3;

let worker: TestWorker;
let scratch: string;

beforeAll(async () => {
  worker = await openTestWorker();
  scratch = path.join(worker.folder, "scratch");
  const file = path.join(worker.folder, "clip.mp4");
  // Large enough that it is still being encoded when the signal comes.
  await makeClip(file, { width: 720, height: 1280, seconds: SECONDS });
  worker.twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4" });
  await worker.start(1, { tools: { ...(await testTools()), stallSeconds: STALL_SECONDS } });
}, 180_000);

afterAll(() => worker[Symbol.asyncDispose]());

testFault(
  {
    id: "ffmpeg-killed",
    fault: "SIGKILL ffmpeg during a render",
    expected: "retried and Completed; the history shows why the first attempt failed",
    rounds: { short: 1, full: 20 },
    secondsPerRound: 60,
  },
  (round) => disturb(round, "SIGKILL", "Rendering was killed (SIGKILL). The machine may be out of memory."),
);

testFault(
  {
    id: "ffmpeg-hangs",
    fault: `ffmpeg hangs during a render (SIGSTOP; killed after ${STALL_SECONDS} s without progress, 60 s in production)`,
    expected: "killed and retried, Completed; the history shows why the first attempt failed",
    rounds: { short: 1, full: 20 },
    secondsPerRound: 60,
  },
  (round) => disturb(round, "SIGSTOP", "Rendering stalled and was stopped."),
);

async function disturb(round: number, signal: NodeJS.Signals, reason: string): Promise<Record<string, number>> {
  const job = await worker.create({
    input_videos: [worker.twin.links("clip")],
    captions_enabled: true,
    custom_captions: [`${signal} in round ${round}`],
  });
  const ffmpeg = await findEncoder();
  // A random moment in the first half of the encoding.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
  const signalledMs = performance.now();
  process.kill(ffmpeg, signal);
  const readAttempts = async () => (await readJobVideos(worker.context, job.id))[0]!.attempts;
  await expect.poll(readAttempts, { timeout: 30_000 }).toBe(2);
  const seconds = (performance.now() - signalledMs) / 1_000;
  const ended = await worker.finish(job);
  expect(ended).toMatchObject({ status: "Completed", retry_count: 1 });
  const history = await readJobEvents(worker.context, job.id);
  const reasons = history.filter((event) => event.video_id !== null).map((event) => event.message);
  expect(reasons).toContain(reason);
  const [output] = await readJobOutputs(worker.context, job.id);
  const file = path.join(worker.folder, "files/outputs", job.id, "attempt-2", output!.name);
  expect(await readDecodeErrors(file)).toBe("");
  expect(Math.abs((await durations(file)).video - SECONDS)).toBeLessThanOrEqual(0.1);
  expect(await processesNaming(scratch)).toEqual([]);
  expect(await readdir(scratch)).toEqual([]);
  return { "seconds until the retry": seconds };
}

/** Returns a process id. */
async function findEncoder(): Promise<number> {
  let found: number | undefined;
  const look = async (): Promise<number | undefined> => {
    const [encoders, ours] = await Promise.all([processesNaming("libx264"), processesNaming(scratch)]);
    return (found = encoders.find((pid) => ours.includes(pid)));
  };
  await expect.poll(look, { timeout: 30_000, interval: 10 }).toBeDefined();
  return found!;
}
