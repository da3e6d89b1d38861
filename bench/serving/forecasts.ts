/**
 * Forecast of a job's time, from the job before it, compared with the time it took, over several shapes of jobs. On a
 * busy machine only the CPU time is comparable: the forecast is then scaled to the CPU time of the job before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { countWork, type Work, type WorkSettings } from "#contract/jobs/outputs/count-work.ts";
import { JOB_DEFAULTS, type Job, type JobOutput, type JobVideo } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { forecastSeconds, measureWork, type MeasuredWork } from "#contract/jobs/outputs/measured-work.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { startClipmill } from "../support/start-clipmill.ts";
import { medianOf } from "../support/times.ts";

const SECTION = { segmentation_type: "multiple", segment_duration: 2 };
/** Videos, captions, settings, and the seconds of each video; those without are sample clips of 4 to 6 seconds. */
const SHAPES: Record<string, [number, number, Record<string, unknown>, number?]> = {
  "1 video": [1, 1, {}],
  "4 videos": [4, 4, {}],
  "4 videos x 3 captions": [4, 3, { variants_per_video: 3 }],
  "4 videos x 3 copies": [4, 1, { variants_per_video: 3 }],
  "4 x 3 captions for 2 s": [4, 3, { variants_per_video: 3, caption_end_seconds: 2 }],
  "4 videos in segments": [4, 1, SECTION],
  "4 x 2 in high quality": [4, 2, { variants_per_video: 2, quality: "high" }],
  "4 videos as they are": [4, 0, {}],
  "4 x 10 s x 3 captions": [4, 3, { variants_per_video: 3 }, 10],
  "6 x 15 s x 4 captions": [6, 4, { variants_per_video: 4 }, 15],
};
/** Each as the only job of the machine so far. */
const FIRST = ["1 video", "4 videos", "4 videos x 3 captions", "4 x 10 s x 3 captions"];
/** Decides how many videos run side by side. */
const CAPACITY = 2;
const POLL_MS = 250;

type Measured = { actual: number; cpu: number; work: Work; measured: MeasuredWork | null };

await using folder = await openBenchFolder();
const twin = await startDriveTwin();
for (const [count, , , seconds] of Object.values(SHAPES)) if (seconds !== undefined) await addClips(count, seconds);
const environment = { WORKER_CONCURRENCY: String(CAPACITY), ...twin.environment };
const clipmill = await startClipmill(folder.file("data"), environment);
const client = await signedInClient(clipmill.url);
let links: string[] = [];
while (links.length === 0) {
  const library = await readLibrary(client);
  if (library.isReady) links = library.data.filter(({ kind }) => kind === "video").map(({ link }) => link);
  else await delay(200);
}
console.log(describeMachine());
const [wall, cpus] = [new Map<string, number[]>(), new Map<string, number[]>()];
for (let run = 0; run < RUNS; run++) {
  const jobs = new Map<string, Measured>();
  for (const name of Object.keys(SHAPES)) jobs.set(name, await measure(name, run));
  for (const [name, { actual, cpu, work }] of jobs) {
    for (const first of FIRST) {
      const { measured, ...before } = jobs.get(first)!;
      const key = `${name} after ${first}`;
      const scaled = (before.cpu * work.seconds) / before.work.seconds / cpu;
      if (measured) wall.set(key, [...(wall.get(key) ?? []), forecastSeconds(work, measured) / actual]);
      cpus.set(key, [...(cpus.get(key) ?? []), scaled]);
    }
    if (run > 0) continue;
    console.log(
      `${name}: ${actual.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${work.seconds.toFixed(1)} s of work, ${work.encodes} encodes`,
    );
  }
}
for (const [title, ratios] of [
  ["CPU time", cpus],
  ["time", wall],
] as const) {
  console.log(`\nForecast / actual ${title}, medians:`);
  for (const name of Object.keys(SHAPES)) {
    const parts = FIRST.map(
      (first) => `${medianOf(ratios.get(`${name} after ${first}`) ?? []).toFixed(2)} after ${first}`,
    );
    console.log(`${name.padEnd(24)} ${parts.join(", ")}`);
  }
}
await clipmill.stop();
await twin.close();

/** As large as the sample clips. All differ, or one's stretches would serve the others. */
async function addClips(count: number, seconds: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const id = `${seconds}-${i}`;
    const path = folder.file(`${id}.mp4`);
    const picture = `gradients=s=720x1280:r=30:nb_colors=6:speed=0.03:seed=${seconds + i}`;
    await runTestFfmpeg([
      ...["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000"],
      ...["-t", String(seconds), "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac", path],
    ]);
    twin.add({ id, path, name: `${id}.mp4`, mimeType: "video/mp4" });
  }
}

async function measure(name: string, run: number): Promise<Measured> {
  const [videoCount, captionCount, settings, seconds] = SHAPES[name]!;
  const drawn = Array.from({ length: videoCount }, (_, i) => twin.links(`${seconds}-${i}`));
  // Streams of earlier jobs would come from the cache.
  const captions = Array.from({ length: captionCount }, (_, i) => `${name}, ${i + 1} of run ${run + 1}`);
  const request = {
    ...settings,
    input_videos: seconds === undefined ? links.slice(0, videoCount) : drawn,
    captions_enabled: captionCount > 0,
    custom_captions: captions,
    download_enabled: false,
  };
  const cpuBefore = cpuSecondsOf(clipmill.pid).all;
  const { id } = await createJob(client, { job_name: `${name} ${run}`, ...request });
  while (!(await hasEnded(client, id))) await delay(POLL_MS);
  const cpu = cpuSecondsOf(clipmill.pid).all - cpuBefore;
  const { data: job } = await client.from("jobs").select("*").eq("id", id).single<Job>().throwOnError();
  const { data: videos } = await client
    .from("job_videos")
    .select("*")
    .eq("job_id", id)
    .order("position")
    .throwOnError();
  const { data: outputs } = await client.from("job_outputs").select("*").eq("job_id", id).throwOnError();
  const done = videos as JobVideo[];
  const starts = done.map(({ started_at: at }) => Date.parse(at!));
  const ends = done.map(({ ended_at: at }) => Date.parse(at!));
  const counted = done.map(({ link, duration_seconds: durationSeconds }) => ({ link, durationSeconds }));
  const whole = { ...JOB_DEFAULTS, ...job, custom_captions: captions, custom_audio_links: [] } as WorkSettings;
  const work = countWork(whole, counted)!;
  return {
    actual: (Math.max(...ends) - Math.min(...starts)) / 1_000,
    cpu,
    work,
    measured: measureWork(done, outputs as JobOutput[], work, CAPACITY),
  };
}
