/** Covers every combination of rotation, mirroring and pixel shape, and odd sizes. */
import { readFile, writeFile } from "node:fs/promises";
import { AAC, BT601, BT709, codedClip, type CorpusClip, H264, VP8 } from "./corpus-clip.ts";
import { writeMatrix } from "./patch-mp4.ts";

const TURNS = [
  { degrees: 0, matrix: [1, 0, 0, 1], undo: [] },
  { degrees: 90, matrix: [0, 1, -1, 0], undo: ["transpose=cclock"] },
  { degrees: 180, matrix: [-1, 0, 0, -1], undo: ["hflip", "vflip"] },
  { degrees: 270, matrix: [0, -1, 1, 0], undo: ["transpose=clock"] },
] as const;
/** Width over height of a stored pixel; stored sizes come out even. */
const ASPECTS = [
  { name: "square", ratio: 1 },
  { name: "wide", ratio: 4 / 3 },
  { name: "narrow", ratio: 2 / 3 },
] as const;
const SAMPLED = new Set(["turned-90-mirrored-wide", "turned-180-mirrored-square"]);

const turned = TURNS.flatMap(({ degrees, matrix, undo }) =>
  [false, true].flatMap((isMirrored) =>
    ASPECTS.map((aspect) => {
      const [a, b, c, d] = matrix;
      const name = `turned-${degrees}${isMirrored ? "-mirrored" : ""}-${aspect.name}`;
      // mirrored first, then rotated
      const stored = isMirrored ? ([-a, -b, c, d] as const) : matrix;
      const squeeze = squeezeBy(aspect.ratio);
      return codedClip(
        `${name}.mp4`,
        `turned by ${degrees} degrees${isMirrored ? ", mirrored" : ""}, ${aspect.name} pixels`,
        {
          seconds: 1,
          inSample: SAMPLED.has(name),
          ...(degrees % 180 === 90 ? { width: 108, height: 192 } : {}),
          filters: [...undo, ...(isMirrored ? ["hflip"] : []), ...squeeze, ...BT709],
          finish: (made, file) => writeMatrix(made, file, stored),
        },
      );
    }),
  ),
);

/** Stretching the smaller side restores the size. */
function squeezeBy(ratio: number): string[] {
  if (ratio === 1) return [];
  const [above, below] = ratio > 1 ? [4, 3] : [2, 3];
  const scale = ratio > 1 ? `scale=iw*${below}/${above}:ih` : `scale=iw:ih*${above}/${below}`;
  return [scale, `setsar=${above}/${below}`];
}

/** These store the pixel shape in other places than MP4. */
const shaped = [
  { name: "wide.mkv", ratio: 4 / 3, picture: H264, sound: AAC },
  { name: "narrow.mkv", ratio: 2 / 3, picture: H264, sound: AAC },
  { name: "wide.ts", ratio: 4 / 3, picture: H264, sound: AAC },
  { name: "wide.mpg", ratio: 4 / 3, picture: ["-c:v", "mpeg2video", "-q:v", "2"], sound: ["-c:a", "mp2"] },
].map(({ name, ratio, picture, sound }) =>
  codedClip(`shape-${name}`, "pixels that are not square", {
    ...{ picture, sound: { encode: sound }, seconds: 1.5 },
    filters: [...squeezeBy(ratio), ...BT709],
  }),
);

const SIZES = [
  { name: "odd", size: [193, 109], expected: [192, 108], picture: ["-pix_fmt", "yuv444p"] },
  { name: "tall", size: [108, 240], expected: [108, 240], picture: [] },
  { name: "even-square", size: [144, 144], expected: [144, 144], picture: [] },
  { name: "flat", size: [320, 136], expected: [320, 136], picture: [] },
] as const;
const sized = SIZES.map(({ name, size: [width, height], expected, picture, ...sample }) =>
  codedClip(`size-${name}.mp4`, `${width}x${height} pixels`, {
    ...{ width, height, seconds: 1, ...sample },
    ...(name === "odd" ? { filters: ["format=gbrp", "zscale=matrix=709:range=limited", "format=yuv444p"] } : {}),
    picture: [...H264, ...picture],
    expected: { width: expected[0], height: expected[1] },
  }),
);

/** Matroska's PixelWidth of one byte, and a value that differs from the frames'. */
const PIXEL_WIDTH = [0xb0, 0x81];
const [CODED_WIDTH, STATED_WIDTH] = [208, 192];
const misstated = codedClip(
  "size-misstated.webm",
  `frames are ${CODED_WIDTH} pixels wide, the file states ${STATED_WIDTH}`,
  {
    ...{ width: CODED_WIDTH, seconds: 1, filters: BT601, picture: VP8, sound: { encode: ["-c:a", "libopus"] } },
    async finish(made, file) {
      const bytes = await readFile(made);
      const at = bytes.indexOf(Buffer.from([...PIXEL_WIDTH, CODED_WIDTH]));
      if (at < 0) throw new Error(`${made} states no width.`);
      bytes[at + PIXEL_WIDTH.length] = STATED_WIDTH;
      await writeFile(file, bytes);
    },
  },
);

export const SHAPE_CLIPS: CorpusClip[] = [...turned, ...shaped, ...sized, misstated];
