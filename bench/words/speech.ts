/** CPU of finding speech in a video's sound, and of its process with and without V8's optimizing compiler. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import { SPEECH_SAMPLE_RATE } from "#media/speech/find-speech.ts";
import { probe } from "#media/probe/probe.ts";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { readTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { execa } from "execa";
import { costOf } from "../support/cpu.ts";
import { describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const PROCESS = "src/media/speech/speech-process.ts";
const LENGTHS = [15, 60, 180, 600];

await using folder = await openBenchFolder();
const tools = await testTools();
const signal = new AbortController().signal;
console.log(describeMachine());
for (const seconds of LENGTHS) {
  const file = folder.file(`${seconds}.mp4`);
  await makeRecording(file, { language: "en", pauses: [seconds / 5], noiseDb: -20 });
  const video = { path: file, probe: await probe(tools, file), revision: file };
  const window = { startSeconds: 0, endSeconds: Math.min(seconds, video.probe.durationSeconds) };
  const samples = folder.file(`${seconds}.raw`);
  const decode = ["-i", file, "-t", String(seconds), "-ac", "1", "-ar", String(SPEECH_SAMPLE_RATE), "-f", "s16le", "-"];
  await writeFile(samples, (await readTestFfmpeg(decode)).stdout);
  const whole = await medianCost(() => detectSpeech(tools, video, { window, folder: path.dirname(file), signal }));
  const [quick, optimized] = [
    await medianCost(() => execa(process.execPath, ["--liftoff-only", PROCESS, samples], { stdout: "ignore" })),
    await medianCost(() => execa(process.execPath, [PROCESS, samples], { stdout: "ignore" })),
  ];
  const facts = [`analysis ${whole.toFixed(2)}`, `process ${quick.toFixed(2)}`, `optimizing ${optimized.toFixed(2)}`];
  console.log(`${window.endSeconds.toFixed(0)} s of sound, CPU s: ${facts.join(", ")}`);
}

async function medianCost(run: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let i = 0; i < RUNS; i++) costs.push((await costOf(run)).cpuSeconds);
  return medianOf(costs);
}
