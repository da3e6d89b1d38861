/**
 * 60 files from 12 parts (5 x 4 x 3 clips of 3, 10 and 3 s): CPU compared with one plain ffmpeg per file, and with an
 * expert's script, which encodes each part once and copies parts into files. Then another end card, from cached streams.
 */
import { writeFile } from "node:fs/promises";
import { RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { SOUND_QUALITY } from "#media/plan/arguments/sound-arguments.ts";
import { openStreamCache } from "#media/render/stream-cache.ts";
import { probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderTimelines } from "#tests/support/media/render-clip.ts";
import { drawClip, KINDS } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const FRAMES_PER_SECOND = 30;
const SLOTS = [
  { name: "hook", clips: 5, seconds: 3 },
  { name: "body", clips: 4, seconds: clipSeconds(10) },
  { name: "ending", clips: 3, seconds: 3 },
];
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];

await using folder = await openBenchFolder();
const slots: string[][] = [];
for (const { name, clips, seconds } of SLOTS) {
  const files = Array.from({ length: clips }, (_, i) => folder.file(`${name}-${i}.mp4`));
  // Another length makes clips of one kind differ.
  for (const [i, file] of files.entries())
    await drawClip(file, seconds + i / FRAMES_PER_SECOND, kinds[i % kinds.length]);
  slots.push(files);
}
const clips = slots.flat();
const timelines = slots[0]!.flatMap((hook) =>
  slots[1]!.flatMap((body) => slots[2]!.map((ending) => [hook, body, ending].map((clip) => clips.indexOf(clip)))),
);
const encoding = ["-c:v", "libx264", ...RATE_CONTROL.standard, "-c:a", "aac", "-aac_coder", "fast", ...SOUND_QUALITY];

const cpu = { own: [] as number[], plain: [] as number[], script: [] as number[], ending: [] as number[] };
const problems: string[] = [];
for (let run = 0; run < RUNS; run += 1) {
  const streamCache = await openStreamCache(folder.file(`streams-${run}`), 4 * 1024 ** 3);
  let paths: string[] = [];
  const own = await costOf(async () => {
    const outputs = await renderTimelines(folder.file(`own-${run}`), { clips, timelines, streamCache });
    paths = outputs.map(({ path }) => path);
  });
  cpu.own.push(own.cpuSeconds);
  if (run === 0) for (const [i, path] of paths.entries()) problems.push(...(await findProblems(path, i)));
  const other = [...clips, folder.file(`other-${run}.mp4`)];
  await drawClip(other.at(-1)!, 3 + (run + 1) / FRAMES_PER_SECOND, "motion");
  const changed = timelines.map(([hook, body]) => [hook!, body!, other.length - 1]);
  const ending = await costOf(() =>
    renderTimelines(folder.file(`ending-${run}`), { clips: other, timelines: changed, streamCache }),
  );
  cpu.ending.push(ending.cpuSeconds);
  // All files cost about the same, so one is measured and multiplied.
  const plain = await costOf(() => makePlain(timelines[run % timelines.length]!));
  cpu.plain.push(plain.cpuSeconds * timelines.length);
  cpu.script.push((await costOf(runScript)).cpuSeconds);
}
console.log(`${timelines.length} files from ${clips.length} parts, 1080x1920, 30 fps; ${describeMachine()}`);
console.log(
  `Clipmill's total CPU: ${medianOf(cpu.own).toFixed(1)} s; plain ffmpeg ${medianOf(cpu.plain).toFixed(0)} s`,
);
console.log(`Clipmill / one plain ffmpeg per file: ${describeRatio(cpu.own, cpu.plain, { atMost: 0.25 })}`);
console.log(`Clipmill / an expert's script: ${describeRatio(cpu.own, cpu.script)}`);
console.log(`Another end card for all files / the first time: ${describeRatio(cpu.ending, cpu.own)}`);
console.log(
  problems.length === 0 ? "All files have all frames and decode without a message." : `NOT met: ${problems.join("; ")}`,
);

async function makePlain(parts: number[]): Promise<void> {
  const inputs = parts.map((_, i) => `[${i}:v][${i}:a]`).join("");
  await runTestFfmpeg([
    ...parts.flatMap((clip) => ["-i", clips[clip]!]),
    ...["-filter_complex", `${inputs}concat=n=${parts.length}:v=1:a=1[v][a]`, "-map", "[v]", "-map", "[a]"],
    ...[...encoding, "-movflags", "+faststart", folder.file("plain.mp4")],
  ]);
}

async function runScript(): Promise<void> {
  for (const [i, clip] of clips.entries()) await runTestFfmpeg(["-i", clip, ...encoding, folder.file(`part-${i}.mp4`)]);
  for (const [i, parts] of timelines.entries()) {
    const list = folder.file("list.txt");
    await writeFile(list, parts.map((clip) => `file '${folder.file(`part-${clip}.mp4`)}'\n`).join(""));
    await runTestFfmpeg([
      ...["-f", "concat", "-safe", "0", "-i", list, "-c", "copy"],
      ...["-movflags", "+faststart", folder.file(`script-${i}.mp4`)],
    ]);
  }
}

async function findProblems(path: string, output: number): Promise<string[]> {
  const wanted = timelines[output]!.reduce((sum, clip) => {
    const slot = slots.findIndex((files) => files.includes(clips[clip]!));
    const { seconds } = SLOTS[slot]!;
    return sum + Math.round(seconds * FRAMES_PER_SECOND) + slots[slot]!.indexOf(clips[clip]!);
  }, 0);
  const { packets } = (await probeFile(path)).streams.find(({ type }) => type === "video")!;
  const message = await readDecodeErrors(path);
  return [
    ...(packets === wanted ? [] : [`${path} has ${packets} frames instead of ${wanted}`]),
    ...(message === "" ? [] : [`${path}: ${message}`]),
  ];
}
