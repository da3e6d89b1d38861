import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { framePixels, pixelAt } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScenes } from "#tests/support/media/make-scenes.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "../probe/probe.ts";
import { requireVideo } from "../render/required-streams.ts";
import { extractSceneFrames } from "./scene-frames.ts";

const folder = await makeScratchFolder();

async function pictures(clip: string, into = path.join(folder, `${path.basename(clip)}-frames`)) {
  const tools = await testTools();
  await mkdir(into, { recursive: true });
  const found = await probe(tools, clip);
  const frames = await extractSceneFrames(
    tools,
    { path: clip, probe: { ...found, video: requireVideo(found) } },
    { folder: into },
  );
  return Promise.all(
    frames.map(async (jpeg, i) => {
      const file = path.join(into, `read-${i}.jpg`);
      await writeFile(file, jpeg);
      const frame = await framePixels(file, 0);
      const { red, green, blue } = pixelAt(frame, frame.width / 2, frame.height / 2);
      const color = `${Number(red > 127)}${Number(green > 127)}${Number(blue > 127)}`;
      return { width: frame.width, height: frame.height, bytes: jpeg.length, color };
    }),
  );
}

test("shows every scene of a clip, in order, in small pictures", async () => {
  const clip = path.join(folder, "scenes.mp4");
  await makeScenes(clip, { colors: ["red", "lime", "blue"], secondsEach: 1, width: 720, height: 1280 });
  const shown = await pictures(clip);
  expect(shown).toHaveLength(8);
  expect([...new Set(shown.map(({ color }) => color))]).toEqual(["100", "010", "001"]);
  expect(shown.every(({ width, height, bytes }) => width === 288 && height === 512 && bytes < 60_000)).toBe(true);
});

test("takes at most eight frames of many scenes", async () => {
  const clip = path.join(folder, "many.mp4");
  const colors = Array.from({ length: 12 }, (_, i) => ["red", "lime", "blue", "white"][i % 4]!);
  await makeScenes(clip, { colors, secondsEach: 0.5 });
  const shown = await pictures(clip);
  expect(shown).toHaveLength(8);
  expect(new Set(shown.map(({ color }) => color)).size).toBeGreaterThanOrEqual(3);
});

test("turns a rotated clip upright, and handles a single frame", async () => {
  const turned = path.join(folder, "turned.mp4");
  await makeClip(turned, { width: 640, height: 360, seconds: 1, rotation: 90, color: "blue" });
  expect((await pictures(turned))[0]).toMatchObject({ width: 288, height: 512, color: "001" });
  const blink = path.join(folder, "blink.mp4");
  await makeClip(blink, { width: 160, height: 120, seconds: 0.04, framesPerSecond: 25, color: "red", toneHz: null });
  expect(await pictures(blink)).toEqual([expect.objectContaining({ width: 160, height: 120, color: "100" })]);
});

test("works in a folder with any name", async () => {
  const clip = path.join(folder, "plain.mp4");
  await makeScenes(clip, { colors: ["red", "blue"], secondsEach: 0.5 });
  const odd = path.join(folder, "it's [odd]: 100%, \\ok;");
  expect((await pictures(clip, odd)).map(({ color }) => color)).toEqual(["100", "100", "001", "001"]);
});
