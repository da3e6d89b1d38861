import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Face, SeenFaces, SeenFrame } from "../../faces/find-faces.ts";
import type { FocusPath } from "../render-plan.ts";
import { planFocus } from "./follow-faces.ts";
import { focusAt } from "./focus-path.ts";

const RATE = { numerator: 30, denominator: 1 };
/** 16:9 cropped to 9:16. */
const CROP = { along: "x", kept: (9 / 16) ** 2 } as const;
const LOOK = 15;
const OPTIONS = { fixed: 0.5, rate: RATE };

function face(middle: number, width = 0.08): Face {
  return { left: middle - width / 2, top: 0.3, width, height: width * 1.8, score: 0.9 };
}

/** `facesAt` is by frame. Looks are as the worker's: twice a second, in the first frame after a cut and in the last. */
function look(frames: number, facesAt: (frame: number) => Face[], cuts: readonly number[] = []): SeenFaces {
  const seen: SeenFrame[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const startsShot = cuts.includes(frame);
    if (startsShot || frame % LOOK === 0 || frame === frames - 1)
      seen.push({ frame, startsShot, faces: facesAt(frame) });
  }
  return { firstFrame: 0, frames, seen };
}

/** A face on the left, but none in the shot between two cuts. */
function lookWithout(from: number, to: number): SeenFaces {
  return look(300, (frame) => (frame >= from && frame < to ? [] : [face(0.2)]), [from, to]);
}

function startsOf(path: FocusPath, frames: number): number[] {
  return Array.from({ length: frames }, (_, frame) => focusAt(path, frame) * (1 - CROP.kept));
}

function countMoves(starts: readonly number[]): number {
  return starts.filter((start, i) => i > 0 && Math.abs(start - starts[i - 1]!) > 1e-9).length;
}

/** Counts the frames in which the face is not inside the crop. */
function countLost(starts: readonly number[], faceAt: (frame: number) => Face): number {
  return starts.filter((start, frame) => {
    const { left, width } = faceAt(frame);
    return left < start - 1e-9 || left + width > start + CROP.kept + 1e-9;
  }).length;
}

describe("a crop that follows a face", () => {
  test("keeps it inside in all frames, and moves on less than a fifth of them, however the face wanders", () => {
    const walk = fc.array(fc.record({ to: fc.double({ min: 0.06, max: 0.94, noNaN: true }), pause: fc.nat(90) }), {
      minLength: 1,
      maxLength: 12,
    });
    /** Shares of the picture per second: across it in five seconds. */
    const speeds = fc.double({ min: 0.02, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(walk, speeds, fc.double({ min: 0.04, max: 0.12, noNaN: true }), (stops, speed, width) => {
        const middles: number[] = [0.5];
        for (const { to, pause } of stops) {
          const from = middles.at(-1)!;
          // Whole steps between two looks, because the face is taken to move evenly there.
          const steps = Math.ceil(Math.abs(to - from) / ((speed * LOOK) / 30)) * LOOK;
          for (let i = 1; i <= steps; i++) middles.push(from + ((to - from) * i) / steps);
          for (let i = 0; i < Math.ceil(pause / LOOK) * LOOK; i++) middles.push(to);
        }
        const faceAt = (frame: number) => face(middles[frame]!, width);
        const path = planFocus(
          look(middles.length, (frame) => [faceAt(frame)]),
          CROP,
          OPTIONS,
        )!;
        const starts = startsOf(path, middles.length);
        expect(countLost(starts, faceAt)).toBe(0);
        expect(countMoves(starts)).toBeLessThanOrEqual(middles.length / 5);
      }),
    );
  });

  test("does not move with a face that stays within the dead zone", () => {
    const nodding = look(600, (frame) => [face(0.4 + 0.03 * Math.sin(frame / 9))]);
    const path = planFocus(nodding, CROP, OPTIONS)!;
    expect(path).toHaveLength(1);
    expect(path[0]!.focus * (1 - CROP.kept) + CROP.kept / 2).toBeCloseTo(0.4, 1);
  });

  test("jumps exactly at a cut, and at no other frame", () => {
    const shots = look(240, (frame) => [face(frame < 101 ? 0.2 : 0.8)], [101]);
    const starts = startsOf(planFocus(shots, CROP, OPTIONS)!, 240);
    const [before, after] = [starts.slice(0, 101), starts.slice(101)];
    expect([new Set(before).size, new Set(after).size]).toEqual([1, 1]);
    expect(countLost(before, () => face(0.2))).toBe(0);
    expect(countLost(after, () => face(0.8))).toBe(0);
  });

  test("keeps its place across a cut to a face in the same place", () => {
    const shots = look(200, () => [face(0.3)], [80]);
    expect(planFocus(shots, CROP, OPTIONS)).toHaveLength(1);
  });

  test("keeps the fixed focus in a shot without faces, but not in a flash", () => {
    const options = { ...OPTIONS, fixed: 0.9 };
    const path = planFocus(lookWithout(60, 150), CROP, options)!;
    expect([59, 60, 149].map((frame) => focusAt(path, frame) > 0.8)).toEqual([false, true, true]);
    expect(focusAt(path, 150)).toBeLessThan(0.2);
    expect(planFocus(lookWithout(60, 68), CROP, options)).toHaveLength(1);
  });

  test("has no path without any face", () => {
    expect(
      planFocus(
        look(100, () => []),
        CROP,
        OPTIONS,
      ),
    ).toBeNull();
  });

  test("stays with the largest face, also while another one is seen or it is turned away for a moment", () => {
    const two = look(600, (frame) => [
      ...(frame > 200 && frame < 240 ? [] : [face(0.25, 0.1)]),
      ...(frame > 90 ? [face(0.8, 0.06)] : []),
    ]);
    expect(planFocus(two, CROP, OPTIONS)).toHaveLength(1);
  });

  test("turns to another face after the main one has gone", () => {
    const turns = look(600, (frame) => [face(frame < 300 ? 0.2 : 0.8)]);
    const path = planFocus(turns, CROP, OPTIONS)!;
    const starts = startsOf(path, 600);
    expect(starts[0]).toBeLessThan(0.2);
    expect(starts[599]! + CROP.kept).toBeGreaterThan(0.84);
    expect(path).toHaveLength(2);
  });

  test("stays where a face has left the picture", () => {
    const leaves = look(900, (frame) => (frame < 120 ? [face(0.5 + frame / 300)] : []));
    const path = planFocus(leaves, CROP, OPTIONS)!;
    expect(path.at(-1)!.toFrame).toBeLessThanOrEqual(120);
    expect(focusAt(path, 899)).toBeGreaterThan(0.9);
  });

  test("ignores a face that is seen once", () => {
    const mistake = look(300, (frame) => [face(0.3), ...(frame === 45 ? [face(0.9, 0.2)] : [])]);
    expect(planFocus(mistake, CROP, OPTIONS)).toHaveLength(1);
  });

  test("holds a middle place where a face is too large for the crop", () => {
    const path = planFocus(
      look(300, (frame) => [face(0.5 + 0.01 * Math.sin(frame), 0.5)]),
      CROP,
      OPTIONS,
    )!;
    expect(path).toHaveLength(1);
    expect(path[0]!.focus).toBeCloseTo(0.5, 1);
  });

  test("has a limited number of moves", () => {
    const cuts = Array.from({ length: 1_500 }, (_, i) => (i + 1) * 10);
    const restless = look(15_010, (frame) => [face(Math.floor(frame / 10) % 2 === 0 ? 0.2 : 0.8)], cuts);
    expect(planFocus(restless, CROP, OPTIONS)!.length).toBeLessThanOrEqual(600);
  });
});
