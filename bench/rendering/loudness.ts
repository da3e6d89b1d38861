/** 200 mixes of speech and music: deviation of loudness and true peak from their targets. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { loudnessOf } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { costOf } from "../support/cpu.ts";
import { describeMachine, openBenchFolder } from "../support/runs.ts";
import { drawSound, drawSpeaker, MUSIC, SPOKEN } from "../support/sounds.ts";
import { medianOf } from "../support/times.ts";

const MIXES = Number(process.env["MIXES"] ?? 200);
const LENGTHS = [3, 5, 8];
const TARGETS = [-14, -16, -14, -23, -12];
const GAINS = [0.1, 0.3, 0.7, 1];
const DUCKING = [0, 6, 12, 24];
const EXTENSIONS = ["m4a", "mp3", "wav", "flac"];
const MAX_OFF = 0.5;
const MAX_PEAK_DB = -1;

await using folder = await openBenchFolder();
const tracks = await Promise.all(
  Object.entries(MUSIC).map(async ([name, graph], i) => {
    const path = folder.file(`${name}.${EXTENSIONS[i % EXTENSIONS.length]}`);
    await drawSound(path, graph, 10);
    return path;
  }),
);

console.log(`${MIXES} mixes; ${describeMachine()}`);
const found: { name: string; off: number; peakDb: number }[] = [];
const cost = { leveled: 0, plain: 0, outputs: 0 };
const spoken = Object.entries(SPOKEN);
for (let round = 0; found.length < MIXES; round++) {
  const [name, graph] = spoken[round % spoken.length]!;
  const seconds = LENGTHS[round % LENGTHS.length]!;
  const target = TARGETS[round % TARGETS.length]!;
  const source = folder.file(`source-${round}.mp4`);
  await drawSpeaker(source, graph, seconds);
  const settings: Partial<StreamSettings> = {
    audio_mode: "mix",
    video_gain: GAINS[(round + 2) % GAINS.length]!,
    music_gain: GAINS[(3 * round + Math.floor(round / 4)) % GAINS.length]!,
    ducking_db: DUCKING[Math.floor(round / 2) % DUCKING.length]!,
  };
  const request = { source, tracks, variants: tracks.length };
  let paths: string[] = [];
  const leveled = await costOf(async () => {
    const rendered = { ...request, settings: { ...settings, loudness_lufs: target } };
    const outputs = await renderClip(folder.file(`leveled-${round}`), rendered);
    paths = outputs.map(({ path }) => path);
  });
  const plain = await costOf(() => renderClip(folder.file(`plain-${round}`), { ...request, settings }));
  cost.leveled += leveled.cpuSeconds;
  cost.plain += plain.cpuSeconds;
  cost.outputs += paths.length;
  for (const [i, path] of paths.entries()) {
    const { integratedLufs, truePeakDb } = await loudnessOf(path);
    const place = `${name}, ${Object.keys(MUSIC)[i]}, ${seconds} s, ${JSON.stringify(settings)}, ${target} LUFS`;
    found.push({ name: place, off: Math.abs(integratedLufs - target), peakDb: truePeakDb });
  }
}

const isGood = ({ off, peakDb }: (typeof found)[number]) => off <= MAX_OFF && peakDb < MAX_PEAK_DB;
const bad = found.filter((mix) => !isGood(mix));
const share = 1 - bad.length / found.length;
const offs = found.map(({ off }) => off);
console.log(`within ${MAX_OFF} LU and under ${MAX_PEAK_DB} dBTP: ${(share * 100).toFixed(1)} %, target at least 99 %`);
console.log(`off target: median ${medianOf(offs).toFixed(2)} LU, at most ${Math.max(...offs).toFixed(2)} LU`);
console.log(`true peak: at most ${Math.max(...found.map(({ peakDb }) => peakDb)).toFixed(1)} dBTP`);
for (const { name, off, peakDb } of bad) console.log(`  ${name}: off by ${off.toFixed(1)} LU, ${peakDb} dBTP`);
const [leveled, plain] = [cost.leveled, cost.plain].map((seconds) => (seconds / cost.outputs).toFixed(2));
console.log(`CPU per output: ${leveled} s, without loudness ${plain} s`);
