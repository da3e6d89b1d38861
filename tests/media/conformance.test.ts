import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { READ_ON } from "#contract/jobs/outputs/platforms.ts";
import { findMismatches } from "#tests/support/media/check-report.ts";
import { beepTimes, flashTimes } from "#tests/support/media/sound/flash-and-beep.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { readDecodeErrors } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
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

test.each(["reels", "tiktok"] as const)("sound and picture are in sync for %s", async (platform) => {
  const file = path.join(folder, "flash.mp4");
  const picture = "color=black:s=180x320:r=30,drawbox=t=fill:c=white:enable='between(t,1,1.5)'";
  const beep = "aevalsrc=0.5*sin(2*PI*1000*t)*between(t\\,1\\,1.5):s=48000";
  await runTestFfmpeg([
    "-f",
    "lavfi",
    "-i",
    picture,
    "-f",
    "lavfi",
    "-i",
    beep,
    "-t",
    "2",
    "-c:a",
    "flac",
    "-f",
    "matroska",
    file,
  ]);
  const settings = { platform } as const;
  const [output] = await renderClip(path.join(folder, `sync-${platform}`), {
    source: file,
    captions: ["Hi"],
    settings,
  });
  const { found } = output!.conformance!.checks.find(({ rule }) => rule === "edit_lists") ?? { found: "not asked" };
  expect(found).toBe(platform === "reels" ? "none" : "not asked");
  expect((await readFile(output!.path)).includes("elst")).toBe(platform === "tiktok");
  expect(await readDecodeErrors(output!.path)).toBe("");
  const [flash, sound] = [await flashTimes(output!.path), await beepTimes(output!.path)];
  expect(flash).toHaveLength(1);
  expect(Math.abs(flash[0]! - 1)).toBeLessThan(0.002);
  expect(Math.abs(sound[0]! - flash[0]!)).toBeLessThan(0.002);
});

test("encoded streams meet the keyframe limit of Shorts, also when joined, and the bit rate of Reels", async () => {
  const source = path.join(folder, "loud.mkv");
  const noise = "anoisesrc=r=48000:a=0.8:c=pink:seed=2,aformat=channel_layouts=stereo";
  const inputs = ["-f", "lavfi", "-i", "testsrc2=s=180x320:r=30", "-f", "lavfi", "-i", noise];
  await runTestFfmpeg([...inputs, "-t", "3.1", "-c:a", "flac", source]);
  const found: Record<string, string> = {};
  for (const platform of ["shorts", "reels"] as const) {
    // one second and a frame before the caption: equal intervals of 15 frames would put a keyframe right before the seam
    const settings = { platform, format: "source", caption_start_seconds: 31 / 30 } as const;
    const input = { source, captions: ["Hi", "Ho"], variants: 2, settings };
    for (const { path: output, conformance } of await renderClip(path.join(folder, `limits-${platform}`), input)) {
      expect(await readDecodeErrors(output)).toBe("");
      for (const { rule, status } of conformance!.checks) found[rule] = status;
    }
  }
  expect(found).toMatchObject({ keyframes: "pass", audio_bit_rate: "pass" });
});

test("without a platform there is no report", async () => {
  const [output] = await renderClip(path.join(folder, "any"), { source: path.join(folder, "wide.mp4") });
  expect(output!.conformance).toBeNull();
});
