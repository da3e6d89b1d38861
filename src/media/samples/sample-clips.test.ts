import path from "node:path";
import { expect, test } from "vitest";
import { type Frame, framePixels, readDecodeErrors, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "../probe/probe.ts";
import { drawSampleClips } from "./sample-clips.ts";

const folder = await makeScratchFolder();

const drawing = testTools().then((tools) => drawSampleClips(tools, folder));

test("draws portrait and landscape clips with and without sound, and a music track", async () => {
  const tools = await testTools();
  const clips = await drawing;
  const kinds = await Promise.all(
    clips.map(async ({ fileName, durationSeconds }) => {
      const found = await probe(tools, path.join(folder, fileName));
      expect(await readDecodeErrors(path.join(folder, fileName))).toBe("");
      expect(Math.abs(found.durationSeconds - durationSeconds)).toBeLessThan(0.05);
      const shape = found.video && (found.video.height > found.video.width ? "portrait" : "landscape");
      return `${shape ?? "music"}, ${found.audio ? "sound" : "silent"}`;
    }),
  );
  expect(kinds.toSorted()).toEqual([
    "landscape, silent",
    "landscape, sound",
    "music, sound",
    "portrait, silent",
    "portrait, sound",
  ]);
});

test("draws clips that look like footage, portrait ones first, with grain everywhere and movement in each", async () => {
  const clips = (await drawing).filter(({ kind }) => kind === "video");
  const shapes: string[] = [];
  for (const { fileName, durationSeconds } of clips) {
    const file = path.join(folder, fileName);
    const [early, late] = [await framePixels(file, 0.5), await framePixels(file, durationSeconds - 0.5)];
    shapes.push(early.height > early.width ? "portrait" : "landscape");
    expect([fileName, shareOfGrain(early)]).toEqual([fileName, expect.toSatisfy((share: number) => share > 0.4)]);
    expect([fileName, shareOfDifferentPixels(early, late, 12)]).toEqual([
      fileName,
      expect.toSatisfy((share: number) => share > 0.03),
    ]);
  }
  expect(shapes).toEqual(["portrait", "portrait", "landscape", "landscape"]);
});

/** Share of pixels that differ from the previous one: high in camera footage, zero on even surfaces. */
function shareOfGrain({ data }: Frame): number {
  let grains = 0;
  for (let i = 4; i < data.length; i += 3) if (data[i] !== data[i - 3]) grains += 1;
  return grains / (data.length / 3);
}
