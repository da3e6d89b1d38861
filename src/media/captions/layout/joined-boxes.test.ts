import { expect, test } from "vitest";
import { joinBoxes } from "./joined-boxes.ts";

const box = (halfWidth: number, line: number) => ({
  left: 100 - halfWidth,
  right: 100 + halfWidth,
  top: line * 30,
  bottom: line * 30 + 30,
});

test("one line is a rectangle with round corners", () => {
  expect(joinBoxes([box(50, 0)], 8)).toEqual([
    { x: 150, y: 0, radius: 8 },
    { x: 150, y: 30, radius: 8 },
    { x: 50, y: 30, radius: 8 },
    { x: 50, y: 0, radius: 8 },
  ]);
});

test("lines of different width are joined with round steps", () => {
  const corners = joinBoxes([box(80, 0), box(50, 1)], 8);
  expect(corners).toHaveLength(8);
  expect(corners.every(({ radius }) => radius === 8)).toBe(true);
});

test("lines of almost equal width become one rectangle", () => {
  const corners = joinBoxes([box(50, 0), box(55, 1), box(60, 2)], 8);
  expect(corners).toHaveLength(4);
  expect(Math.min(...corners.map(({ x }) => x))).toBe(40);
  expect(Math.max(...corners.map(({ y }) => y))).toBe(90);
});

test("corners of a small shape get smaller radii", () => {
  expect(joinBoxes([box(5, 0)], 8).every(({ radius }) => radius === 5)).toBe(true);
});
