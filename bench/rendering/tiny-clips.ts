/** A job of 200 tiny clips x 3: the share of time without a running ffmpeg. */
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import path from "node:path";
import { isFinal } from "#contract/jobs/jobs.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { describeMachine, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const CLIPS = Number(process.env["CLIPS"] ?? 200);
const VARIANTS = 3;

/** Time with at least one running child process. */
const busy = { programs: 0, since: 0, milliseconds: 0 };
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  if (busy.programs++ === 0) busy.since = performance.now();
  child.once("exit", () => {
    if (--busy.programs === 0) busy.milliseconds += performance.now() - busy.since;
  });
});

const shares: number[] = [];
const seconds: number[] = [];
for (let run = 0; run < RUNS; run++) {
  await using worker = await openTestWorker();
  const links = [];
  for (let i = 0; i < CLIPS; i++) {
    // All clips differ, so that the cache does not help.
    const file = path.join(worker.folder, `clip-${i}.mp4`);
    await makeClip(file, { width: 180, height: 320, seconds: 1, toneHz: 300 + i });
    worker.twin.add({ id: `clip-${i}`, path: file, name: path.basename(file), mimeType: "video/mp4" });
    links.push(worker.twin.links(`clip-${i}`));
  }
  const captions = Array.from({ length: VARIANTS }, (_, i) => `Caption ${i + 1}`);
  const job = await worker.create({
    input_videos: links,
    variants_per_video: VARIANTS,
    captions_enabled: true,
    custom_captions: captions,
  });
  await worker.start(2);
  busy.milliseconds = 0;
  const from = performance.now();
  while (!isFinal((await readJob(worker.context, job.id))!.status)) await new Promise((done) => setTimeout(done, 200));
  const took = performance.now() - from;
  shares.push((1 - busy.milliseconds / took) * 100);
  seconds.push(took / 1_000);
}
console.log(`${CLIPS} clips of 1 s, 180x320, x ${VARIANTS} captions, 2 at a time; ${describeMachine()}`);
console.log(
  `Wall time ${medianOf(seconds).toFixed(0)} s, ${((medianOf(seconds) / CLIPS) * 1_000).toFixed(0)} ms per video`,
);
const spread = `${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)}`;
console.log(`Share of time without a running program: ${medianOf(shares).toFixed(1)} % (${spread}), target under 10 %`);
