import { expect, test } from "vitest";
import { type Frame, framePixels, readDecodeErrors, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { probe } from "../probe/probe.ts";
import { SAMPLE_CLIPS } from "./sample-clips.ts";

test("there are portrait and landscape clips with and without sound, and a music track", async () => {
  const tools = await testTools();
  const kinds = await Promise.all(
    SAMPLE_CLIPS.map(async ({ path, durationSeconds }) => {
      const found = await probe(tools, path);
      expect(await readDecodeErrors(path)).toBe("");
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

test("the clips look like footage, portrait ones first, with grain everywhere and movement in each", async () => {
  const shapes: string[] = [];
  for (const { path, durationSeconds } of SAMPLE_CLIPS.filter(({ kind }) => kind === "video")) {
    const [early, late] = [await framePixels(path, 0.5), await framePixels(path, durationSeconds - 0.5)];
    shapes.push(early.height > early.width ? "portrait" : "landscape");
    expect([path, shareOfGrain(early)]).toEqual([path, expect.toSatisfy((share: number) => share > 0.4)]);
    expect([path, shareOfDifferentPixels(early, late, 12)]).toEqual([
      path,
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
