import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makeScenes } from "#tests/support/media/make-scenes.ts";
import { probeFile } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "../probe/probe.ts";
import { extractSpeech } from "./speech-sound.ts";

const folder = await makeScratchFolder();
const clip = path.join(folder, "clip.mp4");

async function speechOf(file: string): Promise<Buffer | null> {
  const tools = await testTools();
  const into = await mkdtemp(path.join(folder, "speech-"));
  return extractSpeech(tools, { path: file, probe: await probe(tools, file) }, { folder: into });
}

test("returns a small mono sound if it probably contains speech", async () => {
  await makeScenes(clip, { colors: ["red"], secondsEach: 4, speaks: true });
  const sound = await speechOf(clip);
  const file = path.join(folder, "speech.m4a");
  await writeFile(file, sound!);
  const { streams, durationSeconds } = await probeFile(file);
  expect(streams).toEqual([expect.objectContaining({ type: "audio", codec: "aac", channels: 1, sampleRate: 16_000 })]);
  expect(durationSeconds).toBeCloseTo(4, 0);
  expect(sound!.length).toBeLessThan(50_000);
});

test.each<[string, Parameters<typeof makeClip>[1]]>([
  ["a clip without sound", { toneHz: null }],
  ["a tone that goes on", { toneHz: 440 }],
  ["a sound that nobody hears", { toneHz: 440, level: 0.0001 }],
])("keeps %s to itself", async (_, options) => {
  await makeClip(clip, { ...options, width: 160, height: 120, seconds: 3 });
  expect(await speechOf(clip)).toBeNull();
});
