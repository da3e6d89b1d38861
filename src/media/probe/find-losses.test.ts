import { expect, test } from "vitest";
import { createLossFinder, findSoundLosses, lostSecondsWithin, type TimedPacket } from "./find-losses.ts";

const SECONDS = 0.04;
/**
 * `places` are multiples of a packet's duration, each `group` starts with a keyframe, and the demuxer marks `marked`.
 */
function findIn(places: number[], marked: number[] = [], group = 25) {
  const finder = createLossFinder();
  for (const place of places) {
    const packet: TimedPacket = {
      ...{ isKey: place % group === 0, isCorrupt: marked.includes(place) },
      ...{ decoding: place * SECONDS, duration: SECONDS },
    };
    finder.note(packet);
  }
  return finder.losses();
}
const upTo = (count: number, isThere: (place: number) => boolean = () => true) =>
  Array.from({ length: count }, (_, i) => i).filter(isThere);

test("a gap after a marked packet is a loss, and the packet itself is not damaged", () => {
  const { gaps, otherGaps, damaged } = findIn(
    upTo(20, (place) => place < 8 || place > 10),
    [6],
  );
  expect(gaps).toEqual([{ fromSeconds: expect.closeTo(0.32, 6), toSeconds: expect.closeTo(0.44, 6) }]);
  expect([...otherGaps, ...damaged]).toEqual([]);
});

test("a marked packet without a gap after it is damaged", () => {
  const { gaps, damaged } = findIn(upTo(20), [6]);
  expect(gaps).toEqual([]);
  expect(damaged).toEqual([{ fromSeconds: expect.closeTo(0.24, 6), toSeconds: expect.closeTo(0.28, 6) }]);
});

test("gaps of a varying rate are not losses, even beside a real one", () => {
  const { gaps, otherGaps } = findIn(
    upTo(60, (place) => place % 3 === 0),
    [27],
  );
  expect(gaps).toHaveLength(1);
  expect(otherGaps.length).toBeGreaterThan(10);
});

test("where most gaps are marked, the unmarked ones are losses too", () => {
  const lost = new Set([5, 10, 15, 20]);
  const { gaps } = findIn(
    upTo(24, (place) => !lost.has(place)),
    [4, 9, 14],
  );
  expect(gaps).toHaveLength(4);
});

test("packets before the first intact keyframe, and joins between recordings, are not losses", () => {
  expect(findIn([0, 10, 11, 25, 26, 27], [0]).gaps).toEqual([]);
  const seam = findIn([0, 1, 2, 3, 4.5, 5.5, 6.5, 7.5], [3], 4.5);
  expect([seam.gaps, seam.damaged]).toEqual([[], []]);
});

test("a pause in the sound is a loss where the picture has one as well", () => {
  const pause = { fromSeconds: 4, toSeconds: 6 };
  const sound = { gaps: [], otherGaps: [pause], damaged: [] };
  const picture = { gaps: [{ fromSeconds: 4.5, toSeconds: 6.4 }], otherGaps: [], damaged: [] };
  expect(findSoundLosses(sound, picture)).toEqual([pause]);
  expect(findSoundLosses(sound, { ...picture, gaps: [] })).toEqual([]);
  expect(lostSecondsWithin([pause], { fromSeconds: 5, toSeconds: 10 })).toBe(1);
});
