import { expect, test } from "vitest";
import { movePoint, movePointByKey } from "./move-point.ts";

const AREA = { left: 0.4, right: 0.6, top: 0.2, bottom: 0.3 };
const ROOM = { left: 0.08, right: 0.92, top: 0.12, bottom: 0.82 };

test("what is dragged stays in the safe area, and snaps to its edges and to the middle", () => {
  expect(movePoint({ x: 0.3, y: 0.4 }, AREA, ROOM)).toEqual({
    point: { x: 0.3, y: 0.4 },
    snappedX: null,
    snappedY: null,
  });
  expect(movePoint({ x: 0, y: 2 }, AREA, ROOM)).toEqual({
    point: { x: 0.18, y: 0.77 },
    snappedX: 0.08,
    snappedY: 0.82,
  });
  expect(movePoint({ x: 0.49, y: 0.489 }, AREA, ROOM)).toEqual({
    point: { x: 0.5, y: 0.5 },
    snappedX: 0.5,
    snappedY: 0.5,
  });
});

test("what is wider than the safe area starts at its edge", () => {
  const wide = { ...AREA, left: 0, right: 1 };
  expect(movePoint({ x: 0.1, y: 0.4 }, wide, ROOM).point.x).toBe(0.58);
});

test("keys move by a hundredth, without snapping", () => {
  const point = { x: 0.5, y: 0.5 };
  const moved = ["ArrowLeft", "ArrowDown", "a"].map((key) => movePointByKey(key, point, AREA, ROOM));
  expect(moved).toEqual([{ x: 0.49, y: 0.5 }, { x: 0.5, y: 0.51 }, null]);
});
