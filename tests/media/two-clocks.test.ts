import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, framePixels, pixelAt, toneLevelDb } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

beforeAll(async () => {
  const clip = { width: 160, height: 90, framesPerSecond: 25, seconds: 2 };
  await makeClip(file("red.ts"), { ...clip, color: "red", toneHz: 500 });
  await makeClip(file("blue.ts"), { ...clip, color: "blue", toneHz: 1_500 });
  for (const color of ["red", "blue"])
    await runTestFfmpeg([
      "-i",
      file(`${color}.ts`),
      "-c",
      "copy",
      "-output_ts_offset",
      "3000",
      file(`late-${color}.ts`),
    ]);
});

async function colorAt(output: string, seconds: number): Promise<"red" | "blue"> {
  const { red, blue } = pixelAt(await framePixels(output, seconds), 100, 20);
  return red > blue ? "red" : "blue";
}

test.each([
  ["the same time once more", "red.ts", "blue.ts"],
  ["a much later time", "red.ts", "late-blue.ts"],
  ["a much earlier time", "late-red.ts", "blue.ts"],
])("loses nothing if a second clock starts at %s, in one piece or in segments", async (_, first, second) => {
  const source = file(`${first}-${second}`);
  await writeFile(source, Buffer.concat([await readFile(file(first)), await readFile(file(second))]));
  const [whole] = await renderClip(`${source}-whole`, { source, watermark: "@" });
  expect((await durations(whole!.path)).video).toBeCloseTo(4, 1);
  expect([await colorAt(whole!.path, 1.9), await colorAt(whole!.path, 2.1)]).toEqual(["red", "blue"]);
  expect(await toneLevelDb(whole!.path, 500, { fromSeconds: 0.5, toSeconds: 1.5 })).toBeGreaterThan(-18);
  expect(await toneLevelDb(whole!.path, 1_500, { fromSeconds: 2.5, toSeconds: 3.5 })).toBeGreaterThan(-18);
  const segmentation = { type: "multiple", segmentSeconds: 2 } as const;
  const segments = await renderClip(`${source}-segments`, { source, segmentation });
  expect(await Promise.all(segments.map(({ path: output }) => colorAt(output, 1)))).toEqual(["red", "blue"]);
  expect(await toneLevelDb(segments[1]!.path, 1_500, { fromSeconds: 0.5, toSeconds: 1.5 })).toBeGreaterThan(-18);
});
