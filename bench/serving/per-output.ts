/**
 * CPU per output of a running Clipmill: the same video with 1 and with 10 tracks. A ninth of the difference is the cost
 * of one more output with different sound. A repetition takes all streams from the cache, which shows an output's cost
 * apart from its streams.
 */
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const TRACKS = 10;
const POLL_MS = 1_000;

await using folder = await openBenchFolder();
const twin = await startDriveTwin();
const seconds = clipSeconds(5);
await makeClip(folder.file("clip.mp4"), { width: 720, height: 1280, seconds });
twin.add({ id: "clip", path: folder.file("clip.mp4"), name: "clip.mp4", mimeType: "video/mp4" });
const tracks: string[] = [];
for (let i = 0; i < TRACKS; i++) {
  const name = `track${i}`;
  await makeTone(folder.file(`${name}.m4a`), { frequencyHz: 300 + 50 * i, seconds: 40 });
  twin.add({ id: name, path: folder.file(`${name}.m4a`), name: `${name}.m4a`, mimeType: "audio/mp4" });
  tracks.push(twin.links(name));
}
const clipmill = await startInstalledClipmill(folder.file("data"), twin.environment);
const client = await signedInClient(clipmill.url);
let jobs = 0;

type Cost = { own: number; programs: number };

/**
 * Returns CPU seconds of Clipmill's own process and of its child processes. Jobs with equal `streams` share cached
 * streams.
 */
async function costOfJob(trackCount: number, hasCaption: boolean, streams: number): Promise<Cost> {
  const before = cpuSecondsOf(clipmill.pid);
  jobs += 1;
  const { id } = await createJob(client, {
    name: `Job ${jobs}`,
    input_videos: [twin.links("clip")],
    variants_per_video: trackCount,
    ...(hasCaption ? { captions_enabled: true, custom_captions: [`Wait for the pour ${streams}`] } : {}),
    audio_enabled: true,
    audio_mode: "mix",
    custom_audio_links: tracks.slice(0, trackCount),
    music_gain: 1 - streams / 1_000,
  });
  while (!(await hasEnded(client, id))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const after = cpuSecondsOf(clipmill.pid);
  const own = after.own - before.own;
  return { own, programs: after.all - before.all - own };
}

console.log(`${seconds} s of 720x1280; ${describeMachine()}`);
let streams = 0;
const perOutput = (one: Cost, many: Cost, part: keyof Cost) => (many[part] - one[part]) / (TRACKS - 1);
const describe = (costs: Cost[]) => {
  const [own, programs] = (["own", "programs"] as const).map((part) =>
    Math.round(medianOf(costs.map((cost) => cost[part])) * 1_000),
  );
  return `${own! + programs!} ms of CPU, of which Clipmill's process ${own} ms`;
};
await costOfJob(TRACKS, true, streams++);
for (const hasCaption of [true, false]) {
  const [made, cached]: [Cost[], Cost[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    const [first, second] = [streams++, streams++];
    for (const costs of [made, cached]) {
      const one = await costOfJob(1, hasCaption, first);
      const many = await costOfJob(TRACKS, hasCaption, second);
      costs.push({ own: perOutput(one, many, "own"), programs: perOutput(one, many, "programs") });
    }
  }
  const name = hasCaption ? "1 caption" : "no caption";
  console.log(`${name}, per output: ${describe(made)}`);
  console.log(`${name}, per output beside its streams: ${describe(cached)}`);
}
await clipmill.stop();
await twin.close();
