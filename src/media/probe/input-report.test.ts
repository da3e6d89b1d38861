import { expect, test } from "vitest";
import { readInputReport } from "./input-report.ts";
import { describeInput } from "./probe-report.ts";

const HEAD = ["Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:a.mp4':", "  Metadata:", "    major_brand     : isom"];
const DURATION = "  Duration: 01:02:03.45, start: 1.400000, bitrate: 301 kb/s";
const PICTURE =
  "  Stream #0:0[0x1](und): Video: hevc (Main 10) (hev1 / 0x31766568), yuv420p10le(tv, bt2020nc/bt2020/smpte2084, top first), 720x576 [SAR 16:15 DAR 4:3], 59 kb/s, SAR 2:1 DAR 5:2, 29.97 fps, 30 tbr, 90k tbn (default)";
const SOUND = "  Stream #0:1: Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, 5.1(side), fltp, 128 kb/s";

test("reads format, times and streams", () => {
  const turned = "      Side data:\n        displaymatrix: rotation of -90.00 degrees".split("\n");
  const report = readInputReport([...HEAD, DURATION, PICTURE, ...turned, SOUND])!;
  expect(report).toMatchObject({ durationSeconds: 3_723.45, startSeconds: 1.4, majorBrand: "isom" });
  const { video, audio } = describeInput(report);
  expect(video).toMatchObject({
    ...{ index: 0, codec: "hevc", pixelFormat: "yuv420p10le", framesPerSecond: 30 },
    // The container doubles the pixel width and rotates the picture.
    ...{ codedWidth: 720, codedHeight: 576, width: 576, height: 1_440, rotation: 90 },
    ...{ colorMatrix: "bt2020nc", colorPrimaries: "bt2020", colorTransfer: "smpte2084" },
    ...{ isHdr: true, isInterlaced: true, isFullRange: false },
  });
  expect(audio).toEqual({ index: 1, codec: "aac", profile: "LC", sampleRate: 44_100, channels: 6 });
});

test.each([
  ["23.98 fps, 23.98 tbr", 24_000 / 1_001],
  ["59.94 fps, 59.94 tbr", 60_000 / 1_001],
  ["29.41 fps, 30 tbr", 30],
  ["1k tbr", 30],
  ["0.1000 fps, 0.1000 tbr", 0.1],
])("parses %s as %d frames per second", (rates, expected) => {
  const stream = `  Stream #0:0: Video: h264, yuv420p, 64x64, ${rates}, 90k tbn`;
  expect(describeInput(readInputReport([...HEAD, stream])!).video?.framesPerSecond).toBeCloseTo(expected, 9);
});

test.each([
  ["stereo", 2],
  ["mono", 1],
  ["7.1(wide)", 8],
  ["3 channels (FL+FR+FC)", 3],
  ["quad(side)", 4],
])("counts the channels of %s", (layout, channels) => {
  const report = readInputReport([...HEAD, `  Stream #0:0: Audio: opus, 48000 Hz, ${layout}, fltp (default)`])!;
  expect(report.streams[0]).toMatchObject({ channels, isDefault: true });
});

/** By ffmpeg 5.1, which lists an output that copies before "Stream mapping:", in the same words. */
const WITH_OUTPUT = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:a.mp4':
  Metadata:
    major_brand     : isom
    minor_version   : 512
    compatible_brands: isomiso2avc1mp41
    encoder         : Lavf59.27.100
  Duration: 00:00:00.20, start: 0.000000, bitrate: 209 kb/s
  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(progressive), 64x64 [SAR 1:1 DAR 1:1], 61 kb/s, 30 fps, 30 tbr, 15360 tbn (default)
    Metadata:
      handler_name    : VideoHandler
      vendor_id       : [0][0][0][0]
  Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, mono, fltp, 73 kb/s (default)
    Metadata:
      handler_name    : SoundHandler
      vendor_id       : [0][0][0][0]
Output #0, framecrc, to 'pipe:1':
  Metadata:
    major_brand     : isom
    minor_version   : 512
    compatible_brands: isomiso2avc1mp41
    encoder         : Lavf59.27.100
  Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(progressive), 64x64 [SAR 1:1 DAR 1:1], q=2-31, 61 kb/s, 30 fps, 30 tbr, 15360 tbn (default)
    Metadata:
      handler_name    : VideoHandler
      vendor_id       : [0][0][0][0]
  Stream #0:1(und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, mono, fltp, 73 kb/s (default)
    Metadata:
      handler_name    : SoundHandler
      vendor_id       : [0][0][0][0]
Stream mapping:
  Stream #0:0 -> #0:0 (copy)
  Stream #0:1 -> #0:1 (copy)`;

test("reads only the section of the input, whatever follows it", () => {
  const lines = WITH_OUTPUT.split("\n");
  const report = readInputReport(lines)!;
  expect(report.streams.map(({ index, type, codec }) => [index, type, codec])).toEqual([
    [0, "video", "h264"],
    [1, "audio", "aac"],
  ]);
  const end = lines.findIndex((line) => line.startsWith("Output"));
  expect(report).toEqual(readInputReport([...lines.slice(0, end), "At least one output file must be specified"]));
});

test.each([
  "  Stream #0:0[0x1](und): Video: none (vvc1 / 0x31637676), none, 64x64, 61 kb/s, SAR 1:1 DAR 1:1, 30 fps, 30 tbr, 15360 tbn (default)",
  "  Stream #0:0[0x100]: Unknown: none ([51][0][0][0] / 0x0033)",
])("names H.266 by its tag, as ffmpeg 5.1 does not: %s", (stream) => {
  expect(describeInput(readInputReport([...HEAD, stream])!).unsupportedVideo).toBe("vvc");
});

test.each([6, 8])("reads a rotation tag after %d spaces", (spaces) => {
  const tags = ["    Metadata:", `${" ".repeat(spaces)}rotate          : 90`];
  expect(describeInput(readInputReport([...HEAD, PICTURE, ...tags])!).video?.rotation).toBe(90);
});

test("rejects a report with forged streams", () => {
  const forged = "  Stream #0:0: Video: h264, yuv420p, 64x64, 30 fps";
  expect(readInputReport([...HEAD, forged, DURATION, PICTURE])).toBeNull();
  expect(readInputReport(["file:a.mp4: Invalid data found when processing input"])).toBeNull();
});

test("reads streams listed by program: out of order, and shared ones twice", () => {
  const picture =
    "    Stream #0:1[0x100]: Video: h264 (High) ([27][0][0][0] / 0x001B), yuv420p, 64x64, 30 fps, 30 tbr, 90k tbn";
  const sounds = [0, 2].map(
    (index) => `    Stream #0:${index}[0x10${index}](deu): Audio: aac (LC), 44100 Hz, mono, fltp`,
  );
  const programs = ["  Program 1 ", picture, sounds[1]!, "  Program 2 ", picture, "  No Program", sounds[0]!];
  const report = readInputReport(["Input #0, mpegts, from 'file:a.ts':", DURATION, ...programs])!;
  expect(report.streams.map(({ index, type }) => [index, type])).toEqual([
    [0, "audio"],
    [1, "video"],
    [2, "audio"],
  ]);
  expect(readInputReport([...HEAD, DURATION, picture])).toBeNull();
});

test("finds a stream whose language contains a parenthesis", () => {
  const stream = "  Stream #0:0(a)b): Audio: aac (LC), 44100 Hz, mono, fltp";
  expect(readInputReport([...HEAD, DURATION, stream])!.streams[0]).toMatchObject({ type: "audio", sampleRate: 44_100 });
});
