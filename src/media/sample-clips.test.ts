import path from "node:path";
import { expect, test } from "vitest";
import { playsWithoutErrors } from "#tests/support/measure.ts";
import { testTools } from "#tests/support/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "./probe.ts";
import { drawSampleClips } from "./sample-clips.ts";

const folder = await makeScratchFolder();

test("draws portrait and landscape clips, with sound and without, and a music track", async () => {
  const tools = await testTools();
  const clips = await drawSampleClips(tools, folder);
  const kinds = await Promise.all(
    clips.map(async ({ fileName, durationSeconds }) => {
      const found = await probe(tools, path.join(folder, fileName));
      expect(await playsWithoutErrors(path.join(folder, fileName))).toBe("");
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
