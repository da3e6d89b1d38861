/** CPU and wall time from a start to the first sign-in page: in a fresh clone, after a stop and after a SIGKILL. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { cpuSecondsOf } from "../support/cpu.ts";
import { describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { startClipmill } from "../support/start-clipmill.ts";
import { medianOf } from "../support/times.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Made by earlier starts. */
const MADE = ["dist", "node_modules/.cache/bundled-ffmpeg.json"];

console.log(describeMachine());
await using folder = await openBenchFolder();
for (const made of MADE) await rm(path.join(ROOT, made), { recursive: true, force: true });
await report("First start of a fresh clone", "stop", 1);
await report("After a stop", "stop", RUNS);
// Ends the first start to measure.
await report("After a SIGKILL", "kill", RUNS + 1, 1);

async function report(name: string, end: "stop" | "kill", runs: number, skipped = 0): Promise<void> {
  const [cpu, wall]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    const from = performance.now();
    const clipmill = await startClipmill(folder.file("data"));
    const page = await fetch(clipmill.url);
    if (!(await page.text()).includes("<title>Clipmill")) throw new Error("The response is not the sign-in page.");
    cpu.push(cpuSecondsOf(clipmill.pid).all);
    wall.push((performance.now() - from) / 1_000);
    await clipmill[end]();
  }
  console.log(`${name}: ${describe(cpu.slice(skipped))} of CPU time, ${describe(wall.slice(skipped))} of time`);
}

function describe(seconds: number[]): string {
  return `${medianOf(seconds).toFixed(2)} s (${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)})`;
}
