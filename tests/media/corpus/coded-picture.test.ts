import path from "node:path";
import { expect, test } from "vitest";
import { decodeFrames } from "#tests/support/media/measure-timing.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { drawCodedPicture, PLAIN_BARS, readCodedPicture } from "./coded-picture.ts";
import { BT709, H264 } from "./clips/corpus-clip.ts";
import { makeCodedClip } from "./clips/make-coded-clip.ts";

const folder = await makeScratchFolder();
const NUMBERS = [0, 1, 1_365, 2_730, 4_095];

async function readThrough(filter: string, crf = 12): Promise<(number | null)[]> {
  const file = path.join(folder, `${filter.replaceAll(/\W/g, "-")}.mp4`);
  await makeCodedClip(file, {
    ...{ width: 192, height: 108, rate: "10", numbers: NUMBERS, sound: null },
    ...{ filters: [filter, ...BT709], picture: [...H264, "-crf", String(crf)] },
  });
  return (await decodeFrames(file)).map(({ pixels }) => readCodedPicture(pixels).number);
}

test.each([
  { what: "halved", filter: "scale=96:54" },
  { what: "enlarged", filter: "scale=500:282" },
  { what: "stretched", filter: "scale=128:160" },
  { what: "cropped by a twentieth", filter: "crop=182:102:4:2" },
  { what: "darkened", filter: "lutrgb=r=val*0.6:g=val*0.6:b=val*0.6" },
])("a number is readable in a picture that is $what", async ({ filter }) => {
  expect(await readThrough(filter)).toEqual(NUMBERS);
});

test("a number is readable in a heavily compressed picture", async () => {
  expect(await readThrough("null", 40)).toEqual(NUMBERS);
});

test.each(["hflip", "vflip", "hflip,vflip"])(
  "no picture mirrored or rotated by %s reads as the original",
  async (filter) => {
    const read = await readThrough(filter);
    expect(read.filter((number, i) => number === NUMBERS[i])).toEqual([]);
  },
);

test("two blended pictures are unreadable", () => {
  const [one, other] = [1, 1_366].map((number) => drawCodedPicture(192, 108, number, PLAIN_BARS)) as [Buffer, Buffer];
  const data = one.map((level, i) => (level + other[i]!) / 2);
  expect(readCodedPicture({ width: 192, height: 108, data }).number).toBeNull();
});
