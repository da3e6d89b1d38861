import { expect, test } from "vitest";
import { createPacketList } from "./packet-facts.ts";

const PICTURE = "#tb 0: 1/1000";
const SOUND = "#tb 1: 1/48000";

function listOf(lines: string[], maxFrames?: number) {
  const list = createPacketList(maxFrames);
  for (const line of lines) list.read(line);
  return list;
}

test("frames decoded out of order are listed in presentation order, without repeats", () => {
  const list = listOf([
    PICTURE,
    "0,  0,  40,  40,  900, 0x1",
    "0, 40, 120,  40,  100, 0x2, F=0x0",
    "0, 80,  80,  40,  100, 0x3, F=0x0",
    "0, 81,  80,  40,  100, 0x4, F=0x0",
  ]);
  expect([...list.times()]).toEqual([0.04, 0.08, 0.12]);
  expect(list.factsOf(0)).toMatchObject({ startsWithKeyFrame: true, hidesFrames: false, endSeconds: 0.16 });
});

test("frames without a time are shown at a constant delay after decoding", () => {
  const noTime = "-9223372036854775808";
  const list = listOf([
    PICTURE,
    "0, 0, 40, 40, 9, 0x1",
    `0, 40, ${noTime}, 40, 9, 0x2`,
    `0, 80, ${noTime}, 40, 9, 0x3`,
  ]);
  expect([...list.times()]).toEqual([0.04, 0.08, 0.12]);
  expect(list.factsOf(0).endSeconds).toBeCloseTo(0.16, 6);
});

test("frames hidden by an edit list are not listed", () => {
  const list = listOf([PICTURE, "0, 0, 0, 40, 9, 0x1", "0, 40, 40, 40, 9, 0x2, F=0x4", "0, 80, 80, 40, 9, 0x3"]);
  expect([...list.times()]).toEqual([0, 0.08]);
  expect(list.factsOf(0).hidesFrames).toBe(true);
});

test("other streams are described, whatever their length, and an absent one has no end", () => {
  const list = listOf(
    [SOUND, "1, 0, 0, 1024, 9, 0x1", "1, 2048, 2048, 1024, 9, 0x2", "1, 3072, 3072, 1024, 9, 0x3"],
    1,
  );
  expect(list.factsOf(1)).toMatchObject({ endSeconds: 4_096 / 48_000, firstGapSeconds: 1_024 / 48_000 });
  expect(list.factsOf(2).endSeconds).toBeNull();
});

test("a gap after the first packet is found, even if ffmpeg 9 adds it to the packet's duration", () => {
  const next = [2_048, 3_072, 4_096].map((at) => `1, ${at}, ${at}, 1024, 9, 0x2`);
  for (const duration of [1_024, 2_048]) {
    const list = listOf([SOUND, `1, 0, 0, ${duration}, 9, 0x1`, ...next], 1);
    expect(list.factsOf(1).firstGapSeconds).toBeCloseTo(1_024 / 48_000, 9);
  }
});

test("a stream with too many frames is rejected", () => {
  const frames = Array.from({ length: 11 }, (_, i) => `0, ${i}, ${i}, 1, 1, 0x1`);
  expect(() => listOf([PICTURE, ...frames], 10)).toThrow("The video has more than 10 frames.");
  expect(listOf([PICTURE, ...frames], 11).times()).toHaveLength(11);
});
