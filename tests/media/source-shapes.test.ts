import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { type Frame, framePixels, pixelAt, readDecodeErrors, probeFile } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

/** Matroska's element AlphaMode with the value 1. */
const ALPHA_MODE = Buffer.from("53c08101", "hex");
const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];
const YELLOW = [255, 255, 0];

/** From upper left to lower right: red, green, blue, yellow. */
function quarters(width: number, height: number, rate = "30"): string {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const box = (x: number, y: number, color: string) => `drawbox=x=${x}:y=${y}:w=${w}:h=${h}:t=fill:c=${color}`;
  const boxes = [box(w, 0, "0x00ff00"), box(0, h, "blue"), box(w, h, "yellow")].join(",");
  return `color=red:s=${width}x${height}:r=${rate},format=gbrp,${boxes}`;
}

/** From 0 to 255, at the centers of the quarters. */
function distance(frame: Frame, expected: readonly (readonly number[])[]): number {
  const places = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    // above the watermark
    [0.75, 0.6],
  ] as const;
  const seen = places.map(([x, y]) => Object.values(pixelAt(frame, frame.width * x, frame.height * y)));
  return Math.max(...seen.flatMap((color, i) => color.map((c, j) => Math.abs(c - expected[i]![j]!))));
}

async function renderDrawnOn(name: string): Promise<string> {
  const [output] = await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
  return output!.path;
}

const CODECS: { name: string; encode: string[] }[] = [
  { name: "hevc.mp4", encode: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"] },
  {
    name: "hevc10.mov",
    encode: [
      ...["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"],
      ...["-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"],
    ],
  },
  { name: "vp9.webm", encode: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] },
  { name: "vp8.webm", encode: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"] },
  { name: "av1.mp4", encode: ["-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "lp=1"] },
  { name: "high10.mp4", encode: ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"] },
  { name: "rgb.mkv", encode: ["-c:v", "libx264rgb", "-preset", "ultrafast"] },
  { name: "mpeg2.ts", encode: ["-c:v", "mpeg2video", "-q:v", "2"] },
  { name: "mpeg4.avi", encode: ["-c:v", "mpeg4", "-q:v", "2"] },
  { name: "mjpeg.avi", encode: ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"] },
  { name: "wmv.asf", encode: ["-c:v", "wmv2", "-q:v", "2"] },
  // players treat it as BT.709 if untagged
  {
    name: "prores.mov",
    encode: ["-vf", "scale=out_color_matrix=bt709", "-c:v", "prores_ks", "-profile:v", "1"],
  },
  { name: "h264.flv", encode: ["-c:v", "libx264", "-preset", "ultrafast"] },
  { name: "interlaced.ts", encode: ["-c:v", "mpeg2video", "-q:v", "2", "-flags", "+ilme+ildct", "-top", "1"] },
];

const SAMPLED = [...["hevc10.mov", "vp9.webm", "high10.mp4", "rgb.mkv", "mjpeg.avi", "prores.mov", "interlaced.ts"]];

test.each(sampleOf(CODECS, SAMPLED))("$name keeps its colors and its length", async ({ name, encode }) => {
  const format =
    encode.includes("-pix_fmt") || name === "rgb.mkv" || name === "prores.mov" ? [] : ["-pix_fmt", "yuv420p"];
  await runTestFfmpeg(["-f", "lavfi", "-i", quarters(128, 96), "-t", "0.5", ...format, ...encode, file(name)]);
  const output = await renderDrawnOn(name);
  const { streams } = await probeFile(output);
  expect(streams[0]).toMatchObject({ codec: "h264", pixelFormat: "yuv420p", width: 128, height: 96 });
  expect(Math.abs(streams[0]!.packets - 15)).toBeLessThanOrEqual(1);
  expect(distance(await framePixels(output, 0.2), [RED, GREEN, BLUE, YELLOW])).toBeLessThan(30);
  expect(await readDecodeErrors(output)).toBe("");
});

const TURNS = [
  { rotation: 90, seen: [BLUE, RED, YELLOW, GREEN], size: { width: 96, height: 128 } },
  { rotation: 180, seen: [YELLOW, BLUE, GREEN, RED], size: { width: 128, height: 96 } },
  { rotation: 270, seen: [GREEN, YELLOW, RED, BLUE], size: { width: 96, height: 128 } },
] as const;

test.each(TURNS)("a video rotated by $rotation degrees becomes upright, with and without drawings", async (turn) => {
  const { rotation, seen, size } = turn;
  const name = `turned-${rotation}.mp4`;
  await makeClip(file(name), { picture: quarters(128, 96), seconds: 0.3, rotation, toneHz: null });
  const [bare] = await renderClip(file(`${name}-bare`), { source: file(name) });
  for (const output of [bare!.path, await renderDrawnOn(name)]) {
    const frame = await framePixels(output, 0.1);
    expect({ width: frame.width, height: frame.height }).toEqual(size);
    expect(distance(frame, seen)).toBeLessThan(30);
    expect((await probeFile(output)).streams[0]).toMatchObject(size);
  }
});

test.each([
  { size: [129, 97], aspect: "1", expected: [128, 96] },
  { size: [1, 1], aspect: "1", expected: [2, 2] },
  { size: [3, 201], aspect: "1", expected: [2, 200] },
  { size: [97, 72], aspect: "4/3", expected: [128, 72] },
  { size: [96, 73], aspect: "1/2", expected: [96, 146] },
  // as in a broken header
  { size: [96, 72], aspect: "1/1000", expected: [96, 72] },
  { size: [96, 72], aspect: "1000", expected: [96, 72] },
])("$size pixels of shape $aspect become $expected", async ({ size, aspect, expected }) => {
  const [width, height] = size as [number, number];
  const name = `${width}x${height}-${aspect.replace("/", "-")}.mkv`;
  const filters = `setsar=${aspect}:max=10000,format=yuv444p`;
  const encode = ["-c:v", "libx264", "-preset", "ultrafast"];
  await runTestFfmpeg([
    "-f",
    "lavfi",
    "-i",
    quarters(width, height),
    "-t",
    "0.2",
    "-vf",
    filters,
    ...encode,
    file(name),
  ]);
  const output = await renderDrawnOn(name);
  expect((await probeFile(output)).streams[0]).toMatchObject({ width: expected[0], height: expected[1] });
  expect(await readDecodeErrors(output)).toBe("");
});

test.each(
  sampleOf(
    [
      { name: "animation.mov", encode: ["-c:v", "qtrle", "-pix_fmt", "argb"] },
      { name: "prores4444.mov", encode: ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"] },
      { name: "png.mov", encode: ["-c:v", "png", "-pix_fmt", "rgba"] },
      ...["vp8", "vp9"].map((codec) => ({
        name: `alpha-${codec}.webm`,
        // libvpx rejects transparency with alternative reference frames
        encode: ["-c:v", codec === "vp8" ? "libvpx" : "libvpx-vp9", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p"],
      })),
    ],
    ["prores4444.mov", "png.mov", "alpha-vp9.webm"],
  ),
)("transparent areas of $name become black", async ({ name, encode }) => {
  // the upper right quarter is red but transparent
  const picture = `${quarters(128, 96)},format=gbrap,geq=r='if(gt(X,63)*lt(Y,48),255,r(X,Y))':g='g(X,Y)':b='b(X,Y)':a='if(gt(X,63)*lt(Y,48),0,255)'`;
  await runTestFfmpeg(["-f", "lavfi", "-i", picture, "-t", "0.2", ...encode, file(name)]);
  const frame = await framePixels(await renderDrawnOn(name), 0.1);
  expect(distance(frame, [RED, [0, 0, 0], BLUE, YELLOW])).toBeLessThan(30);
});

test("AV1 from WebM is drawn without its transparency, which no decoder reads", async () => {
  const encode = ["-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "lp=1", "-metadata:s:v", "alpha_mode=1"];
  await runTestFfmpeg(["-f", "lavfi", "-i", quarters(128, 96), "-t", "0.2", ...encode, file("alpha-av1.webm")]);
  expect((await readFile(file("alpha-av1.webm"))).includes(ALPHA_MODE)).toBe(true);
  const frame = await framePixels(await renderDrawnOn("alpha-av1.webm"), 0.1);
  expect(distance(frame, [RED, GREEN, BLUE, YELLOW])).toBeLessThan(30);
});

test("interlaced video is deinterlaced without combs", async () => {
  // a white bar that moves 8 pixels per field
  const moving =
    "color=black:s=160x96:r=50,format=gray,geq=lum='if(between(mod(X-8*N,160),0,30),255,0)',format=yuv420p";
  const encode = ["-vf", "interlace", "-c:v", "mpeg2video", "-q:v", "2", "-flags", "+ilme+ildct", file("fields.mpg")];
  await runTestFfmpeg(["-f", "lavfi", "-i", moving, "-t", "0.6", ...encode]);
  const frame = await framePixels(await renderDrawnOn("fields.mpg"), 0.28);
  const brightness = (x: number, y: number) => pixelAt(frame, x, y).green;
  // a comb differs from the line above but matches the one above that
  let combs = 0;
  for (let y = 12; y < 60; y++)
    for (let x = 0; x < 160; x++)
      if (
        Math.abs(brightness(x, y) - brightness(x, y - 1)) > 100 &&
        Math.abs(brightness(x, y) - brightness(x, y - 2)) < 30
      )
        combs++;
  expect(combs).toBeLessThan(40);
});
