/** CPU, audible noise and size of AAC settings, over 18 kinds of sound. */
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { SOUND_QUALITY } from "#media/plan/arguments/sound-arguments.ts";
import { stat } from "node:fs/promises";
import { costOf } from "../support/cpu.ts";
import { type AudibleNoise, measureAudibleNoise } from "../support/noise-to-mask.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { drawSound, MUSIC, SPOKEN } from "../support/sounds.ts";
import { medianOf } from "../support/times.ts";

const CODERS = {
  now: ["-aac_coder", "fast", ...SOUND_QUALITY],
  "quality 2": ["-aac_coder", "fast", "-q:a", "2"],
  "192 kbit/s": ["-aac_coder", "fast"],
  "192 kbit/s, twoloop": ["-aac_coder", "twoloop"],
} as const;

type Row = AudibleNoise & { name: string; cpu: number; bytes: number };

await using folder = await openBenchFolder();
const seconds = clipSeconds(15);
const kinds = Object.entries({ ...SPOKEN, ...MUSIC });
const originals = await Promise.all(
  kinds.map(async ([name, graph]) => {
    const path = folder.file(`${name}.wav`);
    await drawSound(path, graph, seconds);
    return { name, path };
  }),
);

console.log(`${kinds.length} sounds of ${seconds} s; ${describeMachine()}`);
for (const [coder, options] of Object.entries(CODERS)) {
  const rows: Row[] = [];
  for (const { name, path } of originals) {
    const file = folder.file("sound.m4a");
    const encode = () => runTestFfmpeg(["-i", path, "-c:a", "aac", "-b:a", "192k", ...options, file]);
    const costs = [];
    for (let run = 0; run < RUNS; run++) costs.push((await costOf(encode)).cpuSeconds);
    const noise = await measureAudibleNoise(file, path);
    rows.push({ name, cpu: medianOf(costs), bytes: (await stat(file)).size, ...noise });
  }
  const total = (read: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + read(row), 0);
  const facts = [
    `CPU ${(total(({ cpu }) => cpu) / rows.length).toFixed(3)} s`,
    `${((total(({ bytes }) => bytes) * 8) / seconds / rows.length / 1_000).toFixed(0)} kbit/s`,
    `noise to mask ${(total(({ noiseToMaskDb }) => noiseToMaskDb) / rows.length).toFixed(1)} dB`,
    `disturbed frames ${((total(({ disturbedShare }) => disturbedShare) / rows.length) * 100).toFixed(1)} %`,
  ];
  console.log(`${coder}: ${facts.join(", ")}`);
  console.log(`  ${rows.map(({ name, noiseToMaskDb }) => `${name} ${noiseToMaskDb.toFixed(1)}`).join(", ")}`);
}
