/**
 * CPU, size, VMAF, XPSNR and banding of candidate encoder settings, for eight kinds of clip. The baseline is each
 * quality's settings before version 6 of the engine.
 */
import { stat } from "node:fs/promises";
import type { Quality } from "#contract/jobs/jobs.ts";
import { RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { drawScene, SCENE_SIZE, type SceneName, SCENES } from "../support/scenes.ts";
import { medianOf } from "../support/times.ts";
import { measureScores } from "../support/vmaf.ts";
import { measureXpsnr } from "../support/xpsnr.ts";

type Settings = { preset: string; crf: number; params: string };
type Encoded = { bytes: number; vmaf: number; xpsnr: number; cambi: number };

const BEFORE: Record<Quality, Settings> = {
  draft: { preset: "ultrafast", crf: 24, params: "8x8dct=1" },
  standard: { preset: "veryfast", crf: 21, params: "subme=1" },
  high: { preset: "faster", crf: 19, params: "" },
};
const NO_B_FRAMES = "bframes=0:subme=1";
const REJECTED: Record<Quality, Record<string, Settings>> = {
  draft: {},
  standard: {
    "no B-frames": { preset: "veryfast", crf: 22, params: NO_B_FRAMES },
    "no B-frames, intra partitions": { preset: "veryfast", crf: 22, params: `${NO_B_FRAMES}:analyse=i8x8,i4x4` },
    "ultrafast, CABAC, deblocking": { preset: "ultrafast", crf: 21, params: "cabac=1:deblock=0,0:8x8dct=1" },
  },
  high: {},
};
/** Offsets from a candidate's CRF, to compare sizes at equal scores. */
const STEPS = [-2, 0, 2];

await using folder = await openBenchFolder();
const wanted = (process.env["QUALITIES"]?.split(",") ?? Object.keys(BEFORE)) as Quality[];
console.log(`${clipSeconds(4)} s of ${SCENE_SIZE.width}x${SCENE_SIZE.height}; ${describeMachine()}`);
const names = Object.keys(SCENES) as SceneName[];
for (const name of names) await drawScene(name, clipSeconds(4), folder.file(`${name}.mkv`));
for (const quality of wanted) {
  const candidates = { now: readSettings(quality), ...REJECTED[quality] };
  const table = new Map(Object.keys(candidates).map((name) => [name, [] as Awaited<ReturnType<typeof compare>>[]]));
  for (const scene of names) {
    const before = await encode(scene, BEFORE[quality]);
    const cpu = await measureCpu(scene, [BEFORE[quality], ...Object.values(candidates)]);
    for (const [i, [name, settings]] of Object.entries(candidates).entries()) {
      const row = { ...(await compare(scene, settings, before)), cpu: cpu[i + 1]! / cpu[0]! };
      table.get(name)!.push(row);
      console.log(`${quality}, ${name}, ${scene}: ${describe(row)}`);
    }
  }
  for (const [name, rows] of table) {
    const means = Object.fromEntries(
      (["cpu", "bytes", "atVmaf", "atXpsnr"] as const).map((key) => [key, geometricMean(rows.map((row) => row[key]))]),
    );
    const differences = Object.fromEntries(
      (["vmaf", "xpsnr", "cambi"] as const).map((key) => [key, mean(rows.map((row) => row[key]))]),
    );
    console.log(`${quality}, ${name}, mean of all: ${describe({ ...means, ...differences } as never)}`);
  }
}

function readSettings(quality: Quality): Settings {
  const args = RATE_CONTROL[quality];
  const valueOf = (option: string) => (args.includes(option) ? args[args.indexOf(option) + 1]! : "");
  return { preset: valueOf("-preset"), crf: Number(valueOf("-crf")), params: valueOf("-x264-params") };
}

async function compare(scene: SceneName, settings: Settings, before: Encoded) {
  const tried = [];
  for (const step of STEPS) tried.push(await encode(scene, { ...settings, crf: settings.crf + step }));
  const chosen = tried[STEPS.indexOf(0)]!;
  return {
    cpu: 1,
    bytes: chosen.bytes / before.bytes,
    atVmaf: bytesAt("vmaf", tried, before) / before.bytes,
    atXpsnr: bytesAt("xpsnr", tried, before) / before.bytes,
    vmaf: chosen.vmaf - before.vmaf,
    xpsnr: chosen.xpsnr - before.xpsnr,
    cambi: chosen.cambi - before.cambi,
  };
}

/** Interpolates the size with the score of `before` between the two nearest sizes. */
function bytesAt(score: "vmaf" | "xpsnr", tried: readonly Encoded[], before: Encoded): number {
  const sorted = tried.toSorted((a, b) => a[score] - b[score]);
  const above = Math.min(
    sorted.length - 1,
    Math.max(
      1,
      sorted.findIndex((one) => one[score] >= before[score]),
    ),
  );
  const [low, high] = [sorted[above - 1]!, sorted[above]!];
  const share = (before[score] - low[score]) / (high[score] - low[score] || 1);
  return low.bytes * (high.bytes / low.bytes) ** share;
}

async function encode(scene: SceneName, settings: Settings): Promise<Encoded> {
  const [source, file] = [folder.file(`${scene}.mkv`), folder.file("encoded.mp4")];
  await runTestFfmpeg(["-i", source, ...argumentsOf(settings), file]);
  const { vmaf, cambi } = await measureScores(file, source, folder.file("scores.json"));
  return { bytes: (await stat(file)).size, vmaf, cambi, xpsnr: await measureXpsnr(file, source, SCENE_SIZE) };
}

/** Returns CPU seconds without decoding. Alternates between settings, so that load affects them alike. */
async function measureCpu(scene: SceneName, all: readonly Settings[]): Promise<number[]> {
  const raw = folder.file("raw.y4m");
  await runTestFfmpeg(["-i", folder.file(`${scene}.mkv`), raw]);
  const seconds = all.map(() => [] as number[]);
  for (let run = 0; run < RUNS; run++) {
    const reading = await costOf(() => runTestFfmpeg(["-i", raw, "-f", "null", "-"]));
    for (const [i, settings] of all.entries()) {
      const { cpuSeconds } = await costOf(() =>
        runTestFfmpeg(["-i", raw, ...argumentsOf(settings), "-f", "null", "-"]),
      );
      seconds[i]!.push(cpuSeconds - reading.cpuSeconds);
    }
  }
  return seconds.map(medianOf);
}

function argumentsOf({ preset, crf, params }: Settings): string[] {
  const options = ["-x264-params", [params, "stitchable=1"].filter(Boolean).join(":")];
  return ["-c:v", "libx264", "-preset", preset, "-crf", String(crf), ...options, "-profile:v", "high", "-threads", "1"];
}

function describe(row: Awaited<ReturnType<typeof compare>>): string {
  return [
    `CPU ${row.cpu.toFixed(2)}, bytes ${row.bytes.toFixed(2)}`,
    `at equal VMAF ${row.atVmaf.toFixed(2)}, at equal XPSNR ${row.atXpsnr.toFixed(2)}`,
    `VMAF ${signed(row.vmaf)}, XPSNR ${signed(row.xpsnr)} dB, CAMBI ${signed(row.cambi)}`,
  ].join("; ");
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(2)}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(mean(values.map(Math.log)));
}
