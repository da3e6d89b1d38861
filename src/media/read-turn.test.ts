import path from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { readCodedPicture } from "#tests/media/corpus/coded-picture.ts";
import { SHAPE_CLIPS } from "#tests/media/corpus/clips/shape-clips.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { readTurn } from "./read-turn.ts";

const folder = await makeScratchFolder();
const tools = await testTools();
const turned = SHAPE_CLIPS.filter(({ name }) => name.startsWith("turned-") && name.endsWith("-square.mp4"));

test.each(turned)("the filters for a picture that is $about rotate it upright", async ({ name, make, expected }) => {
  const file = path.join(folder, name);
  await make(file);
  const filters = [...(await readTurn(tools, file, { index: 0 }))!, "format=rgb24"].join(",");
  const output = ["-frames:v", "1", "-vf", filters, "-f", "rawvideo", "pipe:1"];
  const { stdout } = await execa(tools.ffmpeg, ["-v", "error", "-noautorotate", "-i", file, ...output], {
    encoding: "buffer",
  });
  const { width, height } = expected;
  expect(readCodedPicture({ width, height, data: Buffer.from(stdout) }).number).toBe(0);
});
