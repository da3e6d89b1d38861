import { expect, it, test } from "vitest";
import { ENCODERS } from "#contract/settings/system.ts";
import { type GpuBehavior, makeGpuFfmpeg } from "#tests/support/media/faulty/gpu-ffmpeg.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { acceptsSize, encoderArguments } from "../plan/arguments/encoder-arguments.ts";
import { checkEncoder } from "./check-encoder.ts";

const gpu = await makeGpuFfmpeg(await makeScratchFolder());

it("accepts encoders that encode a picture in parts, as jobs do", async () => {
  expect(await checkEncoder((await testTools()).ffmpeg, "software")).toBeNull();
  expect(await checkEncoder((await testTools()).ffmpeg, "software", { codec: "hevc" })).toBeNull();
  expect(await checkEncoder(gpu.file, "h264_nvenc")).toBeNull();
});

const REASONS: [GpuBehavior, RegExp][] = [
  ["failsAtOnce", /^Cannot load libcuda\.so\.1$/],
  ["hangs", /^It did not respond in time\.$/],
  ["breaksOff", /device lost/],
  ["writesGarbage", /^Its files cannot be read: /],
  ["drawsGarbage", /^Its pictures do not match its input\.$/],
  ["ignoresKeyframes", /^It does not place keyframes where jobs need them\.$/],
];

it.each(REASONS)("rejects an encoder that %s, with the reason", async (behavior, reason) => {
  await gpu.behave(behavior);
  expect(await checkEncoder(gpu.file, "h264_nvenc", behavior === "hangs" ? { limitMs: 1_000 } : {})).toMatch(reason);
});

it("names what is missing on a machine without a GPU", async () => {
  const { ffmpeg } = await testTools();
  for (const encoder of ENCODERS.filter((name) => name !== "software")) {
    expect(await checkEncoder(ffmpeg, encoder)).not.toBe("");
  }
});

test("each encoder's arguments set the quality by its own options, and force keyframes that pictures can be split at", () => {
  expect(encoderArguments("standard", 1, "software")).toContain("libx264");
  expect(encoderArguments("high", 1, "h264_nvenc").join(" ")).toMatch(/-cq 19 .*-forced-idr 1/);
  expect(encoderArguments("standard", 1, "h264_qsv").join(" ")).toMatch(/-global_quality 23 -forced_idr 1/);
  expect(encoderArguments("draft", 1, "h264_vaapi").join(" ")).toContain("-qp 27");
  expect(encoderArguments("draft", 1, "h264_vaapi", { codec: "hevc" }).join(" ")).toMatch(/hevc_vaapi .*-tag:v hvc1/);
});

test("pictures that a GPU's encoder may reject are left to software", () => {
  const sizes = [
    { width: 1080, height: 1920 },
    { width: 160, height: 90 },
    { width: 4320, height: 7680 },
  ];
  expect(sizes.map((size) => acceptsSize("h264_nvenc", size))).toEqual([true, false, false]);
  expect(sizes.every((size) => acceptsSize("software", size))).toBe(true);
});
