import { expect, it } from "vitest";
import { createFinishingVideos } from "./finishing-videos.ts";

it("claims one more video for each that only finishes, up to twice the slots", () => {
  const counts: number[] = [];
  const videos = createFinishingVideos(2, (count) => counts.push(count));
  const [first, second, third] = [videos.track(), videos.track(), videos.track()];
  first.begin();
  first.begin();
  second.begin();
  third.begin();
  expect(counts).toEqual([3, 4]);
  third[Symbol.dispose]();
  second[Symbol.dispose]();
  videos.setSlots(1);
  first[Symbol.dispose]();
  expect(counts).toEqual([3, 4, 3, 2, 1]);
  videos.track()[Symbol.dispose]();
  expect(counts).toHaveLength(5);
});
