import path from "node:path";
import { expect, test } from "vitest";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { probe } from "../probe/probe.ts";
import { detectSpeech } from "./detect-speech.ts";
import { findSpeech } from "./find-speech.ts";

const folder = await makeScratchFolder();
const tools = await testTools();
async function open(file: string): Promise<MediaFile> {
  return { path: file, probe: await probe(tools, file, {}), revision: file };
}

function detect(file: MediaFile, signal = new AbortController().signal) {
  const window = { startSeconds: 0, endSeconds: file.probe.durationSeconds };
  return detectSpeech(tools, file, { window, folder, signal });
}

test("detects no speech in music", async () => {
  const file = path.join(folder, "music.mp4");
  await makeRecording(file, { language: "en", pauses: [0.5], musicDb: 0, isWithoutSpeech: true });
  expect(findSpeech((await detect(await open(file)))!)).toEqual([]);
});

test("detects the same speech in a part of a video as in the whole", async () => {
  const file = path.join(folder, "part.mp4");
  const { phrases } = await makeRecording(file, { language: "fr", pauses: [2], noiseDb: -20 });
  const video = await open(file);
  const window = { startSeconds: phrases[1]!.startSeconds - 1, endSeconds: phrases[2]!.endSeconds + 1 };
  const detected = await detectSpeech(tools, video, { window, folder, signal: new AbortController().signal });
  const part = findSpeech(detected!);
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
  const detected = detect(await open(file), canceling.signal);
  canceling.abort();
  await expect(detected).rejects.toMatchObject({ code: "cancelled" });
});
