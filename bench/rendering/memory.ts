/** Peak memory of one video with 8 and with 16 captions, over all processes. Linux only: reads /proc. */
import { readFile } from "node:fs/promises";
import { setInterval } from "node:timers/promises";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const SAMPLE_MS = 50;
const AIM_MEGABYTES = 2_048;

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await drawClip(source, clipSeconds(4));
console.log(`1080x1920, resident memory of this Node process and its ffmpeg processes; ${describeMachine()}`);
for (const variants of [8, 16]) {
  const peaks: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const captions = Array.from({ length: variants }, (_, i) => `Caption ${i + 1}`);
    const request = { source, captions, variants };
    peaks.push(await peakMegabytes(renderClip(folder.file(`${variants}-${run}`), request)));
  }
  const [median, most] = [medianOf(peaks), Math.max(...peaks)].map((peak) => peak.toFixed(0));
  const verdict = Math.max(...peaks) <= AIM_MEGABYTES ? "met" : "NOT met";
  console.log(
    `${variants} variants: median ${median} MB, max ${most} MB, target at most ${AIM_MEGABYTES} MB: ${verdict}`,
  );
}

/** Samples every 50 ms until `work` settles. */
async function peakMegabytes(work: Promise<unknown>): Promise<number> {
  const ended = new AbortController();
  const watched = work.finally(() => ended.abort());
  let peak = 0;
  try {
    for await (const _ of setInterval(SAMPLE_MS, null, { signal: ended.signal })) {
      const ids = [String(process.pid), ...(await childrenOf(String(process.pid)))];
      const sizes = await Promise.all(ids.map(residentMegabytes));
      peak = Math.max(
        peak,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  }
  await watched;
  return peak;
}

async function childrenOf(id: string): Promise<string[]> {
  const text = await readFile(`/proc/${id}/task/${id}/children`, "utf8").catch(() => "");
  const children = text.split(" ").filter(Boolean);
  const below = await Promise.all(children.map(childrenOf));
  return [...children, ...below.flat()];
}

async function residentMegabytes(id: string): Promise<number> {
  // The process may exit in the meantime.
  const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}
