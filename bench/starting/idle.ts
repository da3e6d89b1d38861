/** Memory and CPU time of an idle `npm start`, after its start and a minute after jobs. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { createClipmill } from "../../clients/typescript/clipmill.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { describeMachine } from "../support/runs.ts";
import { startClipmill } from "../support/start-clipmill.ts";

const WINDOW_SECONDS = Number(process.env["IDLE_SECONDS"] ?? 30);
/** The start schedules further work, such as housekeeping. */
const SETTLE_SECONDS = 20;
/** Processes and threads for jobs only end a minute after the last job. */
const SETTLE_AFTER_JOBS_SECONDS = 75;
const ROUNDS = 5;

await findWebApp(() => console.log("Building the web app."));
console.log(describeMachine());
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-idle-"));
// The first start draws the samples.
const first = await startClipmill(folder);
await readSamples(first.url);
await first.stop();
const clipmill = await startClipmill(folder);
try {
  await report("after the start", SETTLE_SECONDS);
  const { client, samples } = await readSamples(clipmill.url);
  const linksOf = (kind: string) => samples.filter((sample) => sample.kind === kind).map(({ link }) => link);
  for (let round = 0; round < ROUNDS; round++) {
    const { data: job } = await client.jobs.create({
      job_name: `Burst ${round}`,
      input_videos: linksOf("video"),
      captions_enabled: true,
      custom_captions: [`Round ${round}`, "今天天气很好 مرحبا 🎬"],
      audio_enabled: true,
      custom_audio_links: linksOf("audio"),
      variants_per_video: 4,
    });
    await client.waitForJob(job.id);
  }
  await report(`after ${ROUNDS} jobs`, SETTLE_AFTER_JOBS_SECONDS);
} finally {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
}

async function report(when: string, settleSeconds: number): Promise<void> {
  await delay(settleSeconds * 1_000);
  const before = cpuSecondsOf(clipmill.pid).all;
  await delay(WINDOW_SECONDS * 1_000);
  const cpuMs = ((cpuSecondsOf(clipmill.pid).all - before) * 1_000) / WINDOW_SECONDS;
  const mb = await readResidentMb(clipmill.pid);
  console.log(`Idle ${when}: ${mb.toFixed(0)} MB, ${cpuMs.toFixed(1)} ms of CPU a second`);
}

/** Includes children. Counts shared file pages once. */
async function readResidentMb(pid: number): Promise<number> {
  const files = new Map<string, number>();
  let bytes = 0;
  for (const each of await listProcesses(pid)) {
    const ofFiles = new Map<string, number>();
    let file = "";
    for (const line of (await readFile(`/proc/${each}/smaps`, "utf8")).split("\n")) {
      const [, name] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line) ?? [];
      if (name !== undefined) file = name;
      const kilobytes = Number(/^(?:Rss|Anonymous): +(\d+) kB$/.exec(line)?.[1]);
      if (line.startsWith("Anonymous:")) bytes += kilobytes * 1_024;
      const ofFile = line.startsWith("Rss:") ? kilobytes : line.startsWith("Anonymous:") ? -kilobytes : 0;
      ofFiles.set(file, (ofFiles.get(file) ?? 0) + ofFile * 1_024);
    }
    for (const [name, size] of ofFiles) files.set(name, Math.max(size, files.get(name) ?? 0));
  }
  return (bytes + [...files.values()].reduce((sum, size) => sum + size, 0)) / 1_000_000;
}

async function listProcesses(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean);
  return [pid, ...(await Promise.all(children.map((child) => listProcesses(Number(child))))).flat()];
}

async function readSamples(url: string) {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: "any" },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const client = createClipmill({ url, token });
  for (;;) {
    const { data, isReady } = await client.library.list();
    if (isReady) return { client, samples: data };
    await delay(500);
  }
}
