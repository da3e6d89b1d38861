/** Cuts silences in recordings of three languages, over noise and music, and looks for every phrase. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findCuts, leaveOut } from "#media/plan/cut-silences.ts";
import { probe } from "#media/probe/probe.ts";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import { makeRecording, type Recording } from "#tests/support/media/sound/make-speech.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const tools = await testTools();
const RATE = { numerator: 30, denominator: 1 };
const SETTINGS = { cut_silences_ms: 500, silence_padding_ms: 150 };

const RECORDINGS: readonly (Recording & { name: string })[] = [
  { name: "English over quiet noise", language: "en", pauses: [5, 3.5, 4.5, 6], noiseDb: -20 },
  { name: "German over loud noise", language: "de", pauses: [4, 5.5, 3.5], noiseDb: -12 },
  { name: "French over quiet music", language: "fr", pauses: [6, 3.5, 5], musicDb: -14 },
  { name: "English over music and noise", language: "en", pauses: [3.5, 5, 4.5], musicDb: -12, noiseDb: -22 },
  { name: "German over loud music", language: "de", pauses: [4.5, 6, 3.5], musicDb: -8 },
  { name: "French, recorded too quietly", language: "fr", pauses: [5, 4, 5.5], noiseDb: -18, gainDb: -20 },
];
const SAMPLE = ["German over loud noise", "English over music and noise", "French, recorded too quietly"];

describe.each(sampleOf(RECORDINGS, SAMPLE))("$name", (recording) => {
  it("keeps the first and last 50 ms of every phrase, and at most a tenth of the silence", async () => {
    const file = path.join(folder, `${recording.name}.mp4`);
    const { phrases, seconds } = await makeRecording(file, recording);
    const window = { startSeconds: 0, endSeconds: seconds };
    const video = { path: file, probe: await probe(tools, file, {}), revision: file };
    const detected = await detectSpeech(tools, video, { window, folder, signal: new AbortController().signal });
    const kept = leaveOut(window, findCuts(detected, SETTINGS, RATE), { rate: RATE })!;
    const keptOf = (from: number, to: number) =>
      kept.reduce(
        (sum, part) => sum + Math.max(0, Math.min(to, part.endSeconds) - Math.max(from, part.startSeconds)),
        0,
      );
    for (const { startSeconds, endSeconds } of phrases) {
      expect(keptOf(startSeconds, startSeconds + 0.05)).toBeCloseTo(0.05, 6);
      expect(keptOf(endSeconds - 0.05, endSeconds)).toBeCloseTo(0.05, 6);
      expect(keptOf(startSeconds, endSeconds)).toBeCloseTo(endSeconds - startSeconds, 6);
    }
    const spoken = phrases.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
    expect((keptOf(0, seconds) - spoken) / (seconds - spoken)).toBeLessThan(0.1);
  });
});
