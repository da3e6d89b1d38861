import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { makeRecording, type Recording } from "#tests/support/media/make-speech.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { findCuts, leaveOut } from "../plan/cut-silences.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { probe } from "../probe/probe.ts";
import { detectSpeech } from "./detect-speech.ts";
import { findSpeech } from "./find-speech.ts";

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

async function open(file: string): Promise<MediaFile> {
  return { path: file, probe: await probe(tools, file, {}), revision: file };
}

function hear(file: MediaFile, signal = new AbortController().signal) {
  const window = { startSeconds: 0, endSeconds: file.probe.durationSeconds };
  return detectSpeech(tools, file, { window, folder, signal });
}

describe.each(sampleOf(RECORDINGS, SAMPLE))("$name", (recording) => {
  it("keeps the first and last 50 ms of every phrase, and at most a tenth of the silence", async () => {
    const file = path.join(folder, `${recording.name}.mp4`);
    const { phrases, seconds } = await makeRecording(file, recording);
    const heard = await hear(await open(file));
    const kept = leaveOut({ startSeconds: 0, endSeconds: seconds }, findCuts(heard!, SETTINGS, RATE))!;
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

test("hears no speech in music", async () => {
  const file = path.join(folder, "music.mp4");
  await makeRecording(file, { language: "en", pauses: [0.5], musicDb: 0, isWithoutSpeech: true });
  expect(findSpeech((await hear(await open(file)))!)).toEqual([]);
});

test("hears a part of a video as it hears the whole", async () => {
  const file = path.join(folder, "part.mp4");
  const { phrases } = await makeRecording(file, { language: "fr", pauses: [2], noiseDb: -20 });
  const video = await open(file);
  const window = { startSeconds: phrases[1]!.startSeconds - 1, endSeconds: phrases[2]!.endSeconds + 1 };
  const heard = await detectSpeech(tools, video, { window, folder, signal: new AbortController().signal });
  const part = findSpeech(heard!);
  expect(part).toHaveLength(2);
  for (const [i, found] of part.entries()) {
    expect(Math.abs(found.startSeconds - phrases[i + 1]!.startSeconds)).toBeLessThan(0.15);
    expect(Math.abs(found.endSeconds - phrases[i + 1]!.endSeconds)).toBeLessThan(0.25);
  }
});

test("stops when it is canceled", async () => {
  const file = path.join(folder, "canceled.mp4");
  await makeRecording(file, { language: "fr", pauses: [1] });
  const canceling = new AbortController();
  const heard = hear(await open(file), canceling.signal);
  canceling.abort();
  await expect(heard).rejects.toMatchObject({ code: "cancelled" });
});
