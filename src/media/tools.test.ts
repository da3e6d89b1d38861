import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { findMediaTools } from "./tools.ts";

const folder = await makeScratchFolder();

test("finds an ffmpeg and an ffprobe that can do all we need", async () => {
  const tools = await findMediaTools({});
  expect(path.isAbsolute(tools.ffmpeg)).toBe(true);
  expect(path.isAbsolute(tools.ffprobe)).toBe(true);
  expect(tools.version).not.toBe("");
});

test("takes the programs that are configured", async () => {
  const { ffmpeg, ffprobe } = await findMediaTools({});
  expect(await findMediaTools({ ffmpegPath: ffmpeg, ffprobePath: ffprobe })).toMatchObject({ ffmpeg, ffprobe });
});

test.skipIf(process.platform === "win32")("says why a configured ffmpeg cannot be used", async () => {
  const ancient = path.join(folder, "ffmpeg");
  await writeFile(ancient, "#!/bin/sh\necho 'ffmpeg version 4.1'\necho 'libavutil      56. 22.100'\n");
  await chmod(ancient, 0o755);
  await expect(findMediaTools({ ffmpegPath: ancient })).rejects.toMatchObject({
    code: "no_tool",
    message: `FFMPEG_PATH (${ancient}) cannot be used: it is older than version 5.`,
  });
  await expect(findMediaTools({ ffmpegPath: path.join(folder, "absent") })).rejects.toMatchObject({ code: "no_tool" });
});
