import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chooseFrames } from "./scene-frames.ts";

const shot = (frames: number) => [1, ...Array.from({ length: frames - 1 }, () => 0.02)];

it("takes the middle of each scene, and more frames from long ones", () => {
  expect(chooseFrames([...shot(4), ...shot(2), ...shot(10)], 3)).toEqual([2, 5, 11]);
  expect(chooseFrames([...shot(4), ...shot(2), ...shot(10)], 5)).toEqual([2, 5, 7, 11, 14]);
});

it("spreads over a video of one scene, and takes every frame of a short one", () => {
  expect(chooseFrames(shot(80), 8)).toEqual([5, 15, 25, 35, 45, 55, 65, 75]);
  expect(chooseFrames(shot(3), 8)).toEqual([0, 1, 2]);
});

it("covers the whole video if it has very many scenes", () => {
  const chosen = chooseFrames(Array.from({ length: 40 }, () => shot(2)).flat(), 8);
  expect(chosen).toHaveLength(8);
  expect(chosen[0]).toBeLessThan(10);
  expect(chosen.at(-1)).toBeGreaterThanOrEqual(70);
});

it("always returns distinct frames in order, up to the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0.1, 0.5), { minLength: 1, maxLength: 240 }), (scores) => {
      const chosen = chooseFrames(scores, 8);
      expect(chosen).toHaveLength(Math.min(8, scores.length));
      expect(chosen.every((place, i) => place < scores.length && place > (chosen[i - 1] ?? -1))).toBe(true);
    }),
  );
});
