/** 20 captions shown for 3 s of 15: CPU compared with pictures in one piece and with one plain ffmpeg per variant. */
import { RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { makePlainVariant } from "../support/plain-ffmpeg.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const CAPTIONS = Array.from({ length: 20 }, (_, i) => `Caption ${i + 1} of twenty`);
const TIMING = { caption_start_seconds: 2, caption_end_seconds: 5 };

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await drawClip(source, clipSeconds(15));
const frames = Math.round(clipSeconds(15) * 30);

const cpu = { cut: [] as number[], whole: [] as number[], plain: [] as number[] };
const problems: string[] = [];
for (let run = 0; run < RUNS; run++) {
  for (const isWhole of [false, true]) {
    const name = folder.file(`${isWhole ? "whole" : "cut"}-${run}`);
    const request = { source, captions: CAPTIONS, variants: CAPTIONS.length, settings: TIMING };
    let paths: string[] = [];
    const { cpuSeconds } = await costOf(async () => {
      const outputs = await renderClip(name, { ...request, isPictureNeverCut: isWhole });
      paths = outputs.map(({ path }) => path);
    });
    cpu[isWhole ? "whole" : "cut"].push(cpuSeconds);
    if (!isWhole && run === 0) problems.push(...(await findProblems(paths)));
  }
  const enable = `between(t,${TIMING.caption_start_seconds},${TIMING.caption_end_seconds})`;
  const settings = RATE_CONTROL.standard;
  // All variants cost the same, so one is measured and multiplied.
  const variant = { caption: CAPTIONS[0]!, enable, settings };
  const plain = await costOf(() => makePlainVariant(source, folder.file("plain.mp4"), variant));
  cpu.plain.push(plain.cpuSeconds * CAPTIONS.length);
}
console.log(
  `1 video (${clipSeconds(15)} s, 1080x1920, 30 fps), ${CAPTIONS.length} captions from 2 to 5 s; ${describeMachine()}`,
);
console.log(
  `Clipmill's total CPU: ${medianOf(cpu.cut).toFixed(1)} s; in one piece ${medianOf(cpu.whole).toFixed(1)} s`,
);
console.log(`In stretches / each picture in one piece: ${describeRatio(cpu.cut, cpu.whole, { atMost: 0.3 })}`);
console.log(
  `Plain ffmpeg per variant, Clipmill's settings / Clipmill: ${describeRatio(cpu.plain, cpu.cut, { atLeast: 4 })}`,
);
console.log(
  problems.length === 0
    ? `All files have ${frames} frames and decode without a message.`
    : `NOT met: ${problems.join("; ")}`,
);

async function findProblems(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const { packets } = (await probeFile(path)).streams.find(({ type }) => type === "video")!;
    if (packets !== frames) found.push(`${path} has ${packets} frames instead of ${frames}`);
    const message = await readDecodeErrors(path);
    if (message !== "") found.push(`${path}: ${message}`);
  }
  return found;
}
