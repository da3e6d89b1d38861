import { expect, test } from "vitest";
import { countPieces, secondsOfPieces } from "./pieces.ts";

const span = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

test("a minute has fifteen pieces, a short file one", () => {
  expect([0, 3, 7.9, 8, 60, 600].map(countPieces)).toEqual([1, 1, 1, 2, 15, 15]);
});

test("counts each piece with a changed text once, and a text near a cut in one piece", () => {
  expect(secondsOfPieces(60, [span(9, 11)])).toBe(4);
  expect(secondsOfPieces(60, [span(9, 11), span(10, 11.5)])).toBe(4);
  expect(secondsOfPieces(60, [span(11.2, 12.4)])).toBe(4);
  expect(secondsOfPieces(60, [span(9, 19)])).toBe(12);
  expect(secondsOfPieces(60, [span(58, 70), span(-3, 1), span(60, 70)])).toBe(8);
  expect(secondsOfPieces(5, [span(1, 2)])).toBe(5);
  expect(secondsOfPieces(60, [])).toBe(0);
});
