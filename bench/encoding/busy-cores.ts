/**
 * Core use while a job's videos arrive over a slow line: 10 clips of 15 s (1080x1920, about 15 MB), two captions each,
 * over 20 Mbit/s. Compares with and without fetching in advance, each on a new installation.
 */
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type Busy, watchEncoders } from "../support/encoder-watch.ts";
import { drawPhoneClip } from "../support/clips.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";
import { startClipmill } from "../support/start-clipmill.ts";

const VIDEOS = Number(process.env["VIDEOS"] ?? 10);
const LINE_BYTES_PER_SECOND = 20_000_000 / 8;
const AIM = 0.95;

console.log(describeMachine());
await using folder = await openBenchFolder();
const clip = folder.file("clip.mp4");
await drawPhoneClip(clip, clipSeconds(15));
const files: string[] = [];
for (let i = 0; i < VIDEOS; i++) {
  const file = folder.file(`clip-${i}.mp4`);
  // Distinct bytes, so that no video comes from the cache.
  await runTestFfmpeg(["-i", clip, "-c", "copy", "-metadata", `comment=${i}`, file]);
  files.push(file);
}

type Measured = Busy & { jobSeconds: number };
const results: Record<"off" | "on", Measured[]> = { off: [], on: [] };
for (let run = 0; run < RUNS; run++) {
  for (const mode of ["off", "on"] as const) {
    const measured = await measure(mode === "on", `${run}-${mode}`);
    results[mode].push(measured);
    console.log(`run ${run + 1}, prefetch ${mode}: ${describe(measured)}`);
  }
}
for (const mode of ["off", "on"] as const) {
  const own = (pick: (one: Measured) => number) => medianOf(results[mode].map(pick));
  console.log(
    `prefetch ${mode}: ${percent(own((one) => one.encoderShare))} of the time an encoder runs, ` +
      `${percent(own((one) => one.ofIdleMachine))} of the cores busy on an idle machine`,
  );
}
const share = medianOf(results.on.map((one) => one.ofIdleMachine));
console.log(`target at least ${percent(AIM)} busy: ${share >= AIM ? "met" : "NOT met"}`);

async function measure(isPrefetching: boolean, name: string): Promise<Measured> {
  await using stack = new AsyncDisposableStack();
  const twin = await startDriveTwin({ bytesPerSecond: LINE_BYTES_PER_SECOND });
  stack.defer(() => twin.close());
  for (const [i, file] of files.entries())
    twin.add({ id: `v${i}`, path: file, name: `${i}.mp4`, mimeType: "video/mp4" });
  const clipmill = await startClipmill(path.join(folder.file(name)), twin.environment);
  stack.defer(async () => void (await clipmill.stop()));
  const client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: { prefetch_sources: isPrefetching } });
  const watch = watchEncoders(clipmill.pid);
  const startedMs = performance.now();
  const job = await createJob(client, {
    job_name: name,
    input_videos: files.map((_, i) => twin.links(`v${i}`)),
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["The first caption of two", "And the second one"],
  });
  while (!(await hasEnded(client, job.id))) await delay(1_000);
  const jobSeconds = (performance.now() - startedMs) / 1_000;
  const busy = watch.stop();
  const ended = await readJob(client, job.id);
  if (ended.status !== "Completed" || ended.error_message !== null) throw new Error(`${ended.error_message}`);
  return { ...busy, jobSeconds };
}

function describe({
  seconds,
  jobSeconds,
  encoderShare,
  waitSeconds,
  ofAll,
  ofIdleMachine,
  ofOthers,
}: Measured): string {
  return [
    `job ${jobSeconds.toFixed(1)} s, first to last frame ${seconds.toFixed(1)} s`,
    `an encoder runs ${percent(encoderShare)} (Clipmill waits ${waitSeconds.toFixed(1)} s)`,
    `CPU ${percent(ofAll)} of all cores (other programs ${percent(ofOthers)}), ${percent(ofIdleMachine)} on an idle machine`,
  ].join("; ");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
