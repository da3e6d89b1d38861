import { expect, test } from "vitest";
import { type Ffmpeg, rankFfmpegs } from "./choose-ffmpeg.ts";

const ffmpeg = (origin: Ffmpeg["origin"], version: string, library: number[]): Ffmpeg => ({
  ...{ file: `/${origin}/ffmpeg`, origin, version, library, hasZscale: true, encodesHevc: true },
  codecs: { decoders: "h264", names: new Map() },
});
const BUNDLED = ffmpeg("bundled", "n7.0-7-gd38bf5e08e-20240407", [59, 8, 100]);

test.each([
  { what: "an older one", onPath: ffmpeg("path", "5.1.9-0+deb12u1", [57, 28, 100]), taken: "bundled" },
  { what: "a newer one", onPath: ffmpeg("path", "7.1.4-0+deb13u1", [59, 39, 100]), taken: "path" },
  { what: "one without known holes", onPath: ffmpeg("path", "8.1.2", [60, 26, 100]), taken: "path" },
  { what: "one of the same version", onPath: ffmpeg("path", "7.0", [59, 8, 100]), taken: "bundled" },
  { what: "a newer build from git", onPath: ffmpeg("path", "N-118193-g5f38c82", [59, 50, 100]), taken: "path" },
])("beside the bundled ffmpeg, $what on PATH: takes the $taken one", ({ onPath, taken }) => {
  for (const found of [
    [onPath, BUNDLED],
    [BUNDLED, onPath],
  ])
    expect(rankFfmpegs(found).map(({ origin }) => origin)).toEqual([taken, taken === "path" ? "bundled" : "path"]);
});

test("prefers a release with every fix over a newer one that lacks some", () => {
  const patched = ffmpeg("path", "7.1.5", [59, 39, 100]);
  const newer = ffmpeg("bundled", "8.0.1", [60, 8, 100]);
  expect(rankFfmpegs([newer, patched])).toEqual([patched, newer]);
});
