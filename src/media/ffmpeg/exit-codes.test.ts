import { expect, test } from "vitest";
import { EXIT_CODES, readExitCode } from "./run-ffmpeg.ts";

const DECODE_ERROR = "Error while decoding stream #0:0: Invalid data found when processing input\n";

test.each([
  [
    "Error while opening decoder for input stream #0:0 : Not yet implemented in FFmpeg, patches welcome\n",
    "notImplemented",
  ],
  [
    "Failed to inject frame into filter network: Invalid argument\nError while processing the decoded data\n",
    "invalidArgument",
  ],
  ["av_interleaved_write_frame(): No space left on device\nConversion failed!\n", "noSpace"],
  [`${DECODE_ERROR}x264: malloc failed: Cannot allocate memory\n`, "noMemory"],
] as const)("ffmpeg 6.0 and older exit with 1: after %j it means %s", (tail, meaning) => {
  expect(readExitCode(1, tail)).toBe(EXIT_CODES[meaning]);
});

test("an error without a known reason keeps its exit code, whatever came before", () => {
  expect(readExitCode(1, `${DECODE_ERROR}out.mp4: Input/output error\n`)).toBe(1);
  expect(readExitCode(1, "")).toBe(1);
  expect(readExitCode(187, DECODE_ERROR)).toBe(187);
  expect(readExitCode(null, DECODE_ERROR)).toBeNull();
});

test("success counts unless the end of a file could not be written", () => {
  expect(readExitCode(0, DECODE_ERROR)).toBe(0);
  expect(readExitCode(0, "Error writing trailer of /dev/full: No space left on device\n")).toBe(EXIT_CODES.noSpace);
});
