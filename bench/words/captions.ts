/** 1 video with 4 captions: CPU compared with one plain ffmpeg per variant and with bare encoders. */
import { availableParallelism } from "node:os";
import { stat } from "node:fs/promises";
import { DEFAULT_LOOK } from "#media/captions/layout/caption-shape.ts";
import { drawCaption } from "#media/captions/drawing/draw-text.ts";
import { encoderArguments, RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { drawtext, makePlainVariant } from "../support/plain-ffmpeg.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";
import { measureVmaf } from "../support/vmaf.ts";

const CAPTIONS = ["Wait for the pour", "Save this for Monday", "Three sips in and it works", "You asked for it"];
const SIZE = { width: 1080, height: 1920 };

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
const raw = folder.file("raw.yuv");
await drawClip(source, clipSeconds(15));
await runTestFfmpeg(["-i", source, "-an", "-pix_fmt", "yuv420p", "-f", "rawvideo", raw]);

const cpu = { ours: [] as number[], plain: [] as number[], equal: [] as number[], encoders: [] as number[] };
const wall: number[] = [];
const idealWall: number[] = [];
let ours = "";
for (let run = 0; run < RUNS; run++) {
  const render = () =>
    renderClip(folder.file(`ours-${run}`), { source, captions: CAPTIONS, variants: CAPTIONS.length });
  const cost = await costOf(async () => (ours = (await render())[0]!.path));
  cpu.ours.push(cost.cpuSeconds);
  wall.push(cost.wallSeconds);
  idealWall.push(cost.cpuSeconds / Math.min(availableParallelism(), CAPTIONS.length));
  cpu.encoders.push((await costOf(() => encodeRawFrames())).cpuSeconds);
  // All variants cost the same, so one is measured and multiplied.
  const caption = CAPTIONS[0]!;
  const plain = await costOf(() => makePlainVariant(source, folder.file("plain.mp4"), { caption }));
  cpu.plain.push(plain.cpuSeconds * CAPTIONS.length);
  const settings = RATE_CONTROL.standard;
  const equal = await costOf(() => makePlainVariant(source, folder.file("equal.mp4"), { caption, settings }));
  cpu.equal.push(equal.cpuSeconds * CAPTIONS.length);
}
console.log(`1 video (${clipSeconds(15)} s, 1080x1920, 30 fps) with ${CAPTIONS.length} captions; ${describeMachine()}`);
console.log(`Clipmill's total CPU: ${medianOf(cpu.ours).toFixed(1)} s`);
console.log(
  `Plain ffmpeg per variant, default settings / Clipmill: ${describeRatio(cpu.plain, cpu.ours, { atLeast: 2.3 })}`,
);
console.log(
  `Plain ffmpeg per variant, Clipmill's settings / Clipmill: ${describeRatio(cpu.equal, cpu.ours, { atLeast: 1.1 })}`,
);
console.log(`Clipmill / the encoders alone, fed raw frames: ${describeRatio(cpu.ours, cpu.encoders, { atMost: 1.3 })}`);
console.log(`Wall / (CPU / cores): ${describeRatio(wall, idealWall, { atMost: 1.2 })}`);
await describeQuality();

async function encodeRawFrames(): Promise<void> {
  const encoders = CAPTIONS.flatMap((_, i) => [
    ...["-map", "0:v", ...encoderArguments("standard", 1), folder.file(`raw-${i}.mp4`)],
  ]);
  const format = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${SIZE.width}x${SIZE.height}`, "-r", "30"];
  await runTestFfmpeg([...format, "-i", raw, ...encoders]);
}

async function describeQuality(): Promise<void> {
  const { drawing } = await drawCaption(CAPTIONS[0]!, DEFAULT_LOOK, SIZE, folder.file("caption.png"));
  if (!drawing) throw new Error("The caption could not be drawn.");
  const overlay = `[2:v]overlay=${drawing.x}:${drawing.y}`;
  const scores = {
    ours: await measureVmaf(ours, { path: source, filters: overlay, inputs: [drawing.path] }),
    plain: await measureVmaf(folder.file("plain.mp4"), { path: source, filters: drawtext(CAPTIONS[0]!) }),
  };
  console.log(`Clipmill: VMAF ${scores.ours.toFixed(1)}, ${await megabytes(ours)} MB`);
  console.log(
    `Plain ffmpeg, default settings: VMAF ${scores.plain.toFixed(1)}, ${await megabytes(folder.file("plain.mp4"))} MB`,
  );
}

async function megabytes(file: string): Promise<string> {
  return ((await stat(file)).size / 1e6).toFixed(1);
}
