/**
 * Time from the call that creates a job to the start of its first encoder process. The source, a clip of 15 s
 * (1080x1920, about 15 MB), is already fetched and probed; the job has two captions; no other job runs. For comparison:
 * with a new source.
 */
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { drawPhoneClip } from "../support/clips.ts";
import { clipSeconds, describeMachine, openBenchFolder } from "../support/runs.ts";
import { describeTimes, medianOf } from "../support/times.ts";
import { startClipmill } from "../support/start-clipmill.ts";

const RUNS = Number(process.env["RUNS"] ?? 21);
const AIM_MS = 150;

console.log(describeMachine());
await using folder = await openBenchFolder();
const [marks, script] = [folder.file("marks"), folder.file("ffmpeg")];
const { ffmpeg } = await testTools();
// The shell creates a file when an encoder starts; its time comes from the kernel's clock, up to 4 ms behind.
const lines = ["#!/bin/sh", `case " $* " in *" libx264 "*) : > "${marks}-$$";; esac`, `exec "${ffmpeg}" "$@"`];
await writeFile(script, `${lines.join("\n")}\n`);
await chmod(script, 0o755);
const clip = folder.file("clip.mp4");
await drawPhoneClip(clip, clipSeconds(15));

await using stack = new AsyncDisposableStack();
const twin = await startDriveTwin();
stack.defer(() => twin.close());
const bytes = await readFile(clip);
twin.add({ id: "clip", bytes, name: "clip.mp4", mimeType: "video/mp4" });
const clipmill = await startClipmill(folder.file("data"), { ...twin.environment, FFMPEG_PATH: script });
stack.defer(async () => void (await clipmill.stop()));
const client = await signedInClient(clipmill.url);
// With a key, the source is cached by content and not by job.
await client.functions.invoke("settings", { body: { google_drive_key: "a-key" } });

await measure("first", "clip");
const times: number[] = [];
const withNewSource: number[] = [];
for (let run = 0; run < RUNS; run++) {
  times.push(await measure(`${run}`, "clip"));
  // An empty box at the end makes it another file.
  const box = Buffer.from(`\0\0\0\x10free${String(run).padStart(8, "0")}`, "latin1");
  twin.add({ id: `new-${run}`, bytes: Buffer.concat([bytes, box]), name: "new.mp4", mimeType: "video/mp4" });
  withNewSource.push(await measure(`${run} with a new source`, `new-${run}`));
}
const verdict = medianOf(times) < AIM_MS ? "met" : "NOT met";
console.log(`Call to first encoder: ${describeTimes(times)}; target under ${AIM_MS} ms at the median: ${verdict}`);
console.log(`With a new source:     ${describeTimes(withNewSource)}`);

/** Cancels the job once its first encoder has started. */
async function measure(run: string, id: string): Promise<number> {
  const startedMs = Date.now();
  const job = await createJob(client, {
    job_name: `Run ${run}`,
    input_videos: [twin.links(id)],
    variants_per_video: 2,
    captions_enabled: true,
    // New captions each time, so that no stream comes from the cache.
    custom_captions: [`The first caption of run ${run}`, `And the second one of run ${run}`],
  });
  let firstMs: number | undefined;
  while (firstMs === undefined) {
    await delay(20);
    const times = await Promise.all((await listMarks()).map(async (mark) => (await stat(mark)).mtimeMs));
    // The previous, canceled job may have started an encoder late.
    firstMs = times.filter((ms) => ms >= startedMs).toSorted((a, b) => a - b)[0];
  }
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
  while (!(await hasEnded(client, job.id))) await delay(100);
  for (const mark of await listMarks()) await rm(mark);
  return firstMs - startedMs;
}

async function listMarks(): Promise<string[]> {
  const names = await readdir(folder.file("."));
  return names.filter((name) => name.startsWith("marks-")).map((name) => folder.file(name));
}
