import { expect, test } from "vitest";
import { formatClipLength, formatFileSize } from "./length-and-size.ts";

test("formats sizes with the shortest unit", () => {
  expect([0, 999, 1000, 6_240_000, 406_300, 999_960, 1_400_000_000].map(formatFileSize)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "6.2 MB",
    "406 kB",
    "1.0 MB",
    "1.4 GB",
  ]);
});

test("formats lengths like a player", () => {
  expect([0.4, 24, 725.4, 3729].map(formatClipLength)).toEqual(["0:00", "0:24", "12:05", "1:02:09"]);
});
