/**
 * Time from the call that creates a job to the start of its first encoder process, with a source that is fetched and
 * probed: a clip of 15 s (1080x1920, about 15 MB), two captions. No other job runs.
 */
import { chmod, readdir, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive-twin.ts";
import { drawPhoneClip } from "../support/clips.ts";
import { clipSeconds, describeMachine, openBenchFolder } from "../support/runs.ts";
import { describeTimes, medianOf } from "../support/times.ts";

const RUNS = Number(process.env["RUNS"] ?? 21);
const AIM_MS = 150;

console.log(describeMachine());
await using folder = await openBenchFolder();
const [marks, script] = [folder.file("marks"), folder.file("ffmpeg")];
const { ffmpeg } = await testTools();
// The shell creates a file when an encoder starts; its time is that of the kernel's clock, up to 4 ms behind.
const lines = ["#!/bin/sh", `case " $* " in *" libx264 "*) : > "${marks}-$$";; esac`, `exec "${ffmpeg}" "$@"`];
await writeFile(script, `${lines.join("\n")}\n`);
await chmod(script, 0o755);
const clip = folder.file("clip.mp4");
await drawPhoneClip(clip, clipSeconds(15));

await using stack = new AsyncDisposableStack();
const twin = await startDriveTwin();
stack.defer(() => twin.close());
twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
const clipmill = await startClipmillProcess(folder.file("data"), { ...twin.environment, FFMPEG_PATH: script });
stack.defer(async () => void (await clipmill.stop()));
const client = await signedInClient(clipmill.url);
// With a key, the source is cached by its content and not by its job.
await client.functions.invoke("settings", { body: { google_drive_key: "a-key" } });

await measure(-1);
const times: number[] = [];
for (let run = 0; run < RUNS; run++) times.push(await measure(run));
console.log(`Call to first encoder: ${describeTimes(times)}`);
const median = medianOf(times);
console.log(`target under ${AIM_MS} ms at the median: ${median < AIM_MS ? "met" : "NOT met"}`);

/** Runs a job until its first encoder has started. */
async function measure(run: number): Promise<number> {
  const startedMs = Date.now();
  const job = await createJob(client, {
    job_name: `Run ${run}`,
    input_videos: [twin.links("clip")],
    variants_per_video: 2,
    captions_enabled: true,
    // New captions each time, so that no stream is taken from the cache.
    custom_captions: [`The first caption of run ${run}`, `And the second one of run ${run}`],
  });
  let mark: string | undefined;
  while (!mark) {
    await delay(20);
    mark = (await readdir(folder.file("."))).find((name) => name.startsWith("marks-"));
  }
  const { mtimeMs } = await stat(folder.file(mark));
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
  while (!(await hasEnded(client, job.id))) await delay(100);
  for (const name of await readdir(folder.file(".")))
    if (name.startsWith("marks-")) await rm(folder.file(name));
  return mtimeMs - startedMs;
}
