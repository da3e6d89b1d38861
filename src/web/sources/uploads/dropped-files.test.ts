import { expect, test } from "vitest";
import { uploadUseOf } from "./dropped-files.ts";

test.each([
  ["clip.mp4", "video/mp4", null, "video"],
  ["clip.mkv", "", null, "video"],
  ["loop.apng", "image/apng", null, "video"],
  ["loop.gif", "image/gif", null, "video"],
  ["song.mp3", "audio/mpeg", null, "music"],
  ["SONG.FLAC", "", null, "music"],
  ["logo.png", "image/png", null, "image"],
  ["LOGO.WEBP", "", null, "image"],
  ["clip.mp4", "video/mp4", "music", "music"],
  ["logo.svg", "image/svg+xml", "image", "image"],
] as const)("%s (%s) dropped on the section %s is for %s", (name, type, section, use) => {
  expect(uploadUseOf({ name, type }, section)).toBe(use);
});
