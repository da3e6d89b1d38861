/**
 * One long video with 8 captions on 1, 2 and 4 workers of one core each: time and CPU, and whether the files are the same.
 * Linux only. If the machine has too few cores, every worker gets the same share of one (SHARE), through a control group
 * that only root can create; or encoders only wait (TIMER, in seconds per second), for a small SIZE.
 */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { sha256OfFile } from "#ground/checksum.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { openInstalledFleet, SHORT_CHUNKS } from "#tests/support/servers/fleet.ts";
import { makeSlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { drawLongClip } from "../support/clips.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, openBenchFolder } from "../support/runs.ts";

const CAPTIONS = Number(process.env["CAPTIONS"] ?? 8);
const SECONDS = clipSeconds(1_200);
const SIZE = process.env["SIZE"] ?? "360x640";
const WORKERS = (process.env["WORKERS"] ?? "1,2,4").split(",").map(Number);
const SHARE = Number(process.env["SHARE"] ?? 1);
const TIMER = Number(process.env["TIMER"] ?? 0);
const AIMS: Record<number, number> = { 2: 0.56, 4: 0.32 };
const POLL_MS = 200;
const GROUPS = "/sys/fs/cgroup/cpu";
const PERIOD_US = 100_000;

type Run = { seconds: number; cpuSeconds: number; files: string };

await using folder = await openBenchFolder();
const source = folder.file("long.mp4");
await drawLongClip(source, SECONDS, SIZE);

const slow = await makeSlowFfmpeg(folder.file("."));
if (TIMER > 0) await slow.slowDown(TIMER);
const each = TIMER > 0 ? `a timer of ${TIMER} s per second` : `${SHARE} of a core`;
console.log(`${SECONDS} s of ${SIZE}, ${CAPTIONS} captions, ${each} per worker; ${describeMachine()}`);
const runs = new Map<number, Run>();
for (const count of WORKERS) {
  const run = await measure(count);
  runs.set(count, run);
  const { seconds, cpuSeconds } = run;
  const first = runs.get(WORKERS[0]!)!;
  const ratio = seconds / first.seconds;
  const aim = AIMS[count];
  const verdict =
    aim === undefined || WORKERS[0] !== 1 ? "" : `, target at most ${aim}: ${ratio <= aim ? "met" : "NOT met"}`;
  const isSame = run.files === first.files ? "same files" : "OTHER files";
  const shares = `${ratio.toFixed(3)} of the time${verdict}; ${(cpuSeconds / first.cpuSeconds).toFixed(3)} of the CPU`;
  console.log(`${count} worker(s): ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s; ${shares}; ${isSame}`);
}

async function measure(count: number): Promise<Run> {
  const twin = await startDriveTwin();
  twin.add({ id: "long", path: source, name: "long.mp4", mimeType: "video/mp4" });
  const fleet = await openInstalledFleet({
    ...twin.environment,
    ...(TIMER > 0 && { ...slow.environment, CHUNK_SECONDS: "30" }),
  });
  const groups = Array.from({ length: count }, (_, i) => openGroup(`clipmill-bench-${i}`));
  try {
    const server = await fleet.start("server");
    const workers = await Promise.all(
      groups.map((group, i) => {
        const join = group === null ? "" : `echo $$ > ${group}/cgroup.procs && `;
        const pin = `${join}exec taskset -c ${i % availableParallelism()} "$@"`;
        return fleet.start("worker", {
          ...{ nodeFlags: [], prefix: ["sh", "-c", pin, "sh"] },
          ...(TIMER > 0 && { script: SHORT_CHUNKS }),
        });
      }),
    );
    const client = await signedInClient(server.url);
    const readCpu = () => workers.reduce((sum, { pid }) => sum + cpuSecondsOf(pid).all, 0);
    const [startMs, cpuBefore] = [performance.now(), readCpu()];
    const job = await createJob(client, {
      input_videos: [twin.links("long")],
      variants_per_video: CAPTIONS,
      captions_enabled: true,
      custom_captions: Array.from({ length: CAPTIONS }, (_, i) => `Caption ${i + 1}`),
    });
    while (!(await hasEnded(client, job.id))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const seconds = (performance.now() - startMs) / 1_000;
    const { status, error_message: reason } = await readJob(client, job.id);
    if (status !== "Completed") throw new Error(`The job is ${status}: ${reason}`);
    const outputs = path.join(fleet.storageRoot, "outputs", job.id);
    const sums = readdirSync(outputs)
      .toSorted()
      .map((name) => sha256OfFile(path.join(outputs, name)));
    return { seconds, cpuSeconds: readCpu() - cpuBefore, files: (await Promise.all(sums)).join() };
  } finally {
    await fleet.close();
    await twin.close();
    for (const group of groups) if (group) rmdirSync(group);
  }
}

function openGroup(name: string): string | null {
  if (SHARE === 1) return null;
  const group = path.join(GROUPS, name);
  mkdirSync(group, { recursive: true });
  writeFileSync(path.join(group, "cpu.cfs_period_us"), String(PERIOD_US));
  writeFileSync(path.join(group, "cpu.cfs_quota_us"), String(SHARE * PERIOD_US));
  return group;
}
