/** The reports on finished files state what the files are. */
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { READ_ON } from "#contract/jobs/platforms.ts";
import { findMismatches } from "#tests/support/media/check-report.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const SOURCES = {
  upright: { width: 180, height: 320, framesPerSecond: 30, seconds: 4 },
  wide: { width: 640, height: 360, framesPerSecond: 60, seconds: 1 },
  slow: { width: 400, height: 400, framesPerSecond: 12, seconds: 3, toneHz: null },
} as const;

beforeAll(async () => {
  for (const [name, options] of Object.entries(SOURCES)) await makeClip(path.join(folder, `${name}.mp4`), options);
});

test.each(
  Object.keys(SOURCES).flatMap((source) =>
    (["tiktok", "reels", "shorts"] as const).map((platform) => ({ source, platform })),
  ),
)("the report of $source for $platform agrees with ffmpeg", async ({ source, platform }) => {
  // one is encoded with a caption, the others' pictures are copied from the source
  const captions = platform === "tiktok" ? { captions: ["Hi"] } : {};
  const input = { source: path.join(folder, `${source}.mp4`), settings: { platform }, ...captions };
  const [output] = await renderClip(path.join(folder, `${source}-${platform}`), input);
  expect(output!.conformance).toMatchObject({ platform, rules_read_on: READ_ON });
  expect(await findMismatches(output!.conformance!, output!.path)).toEqual([]);
});

test("without a platform there is no report", async () => {
  const [output] = await renderClip(path.join(folder, "any"), { source: path.join(folder, "wide.mp4") });
  expect(output!.conformance).toBeNull();
});
