import { expect, test } from "vitest";
import { uploadUseOf } from "./dropped-files.ts";

test.each([
  ["clip.mp4", "video/mp4", false, "video"],
  ["clip.mkv", "", false, "video"],
  ["song.mp3", "audio/mpeg", false, "music"],
  ["SONG.FLAC", "", false, "music"],
  ["clip.mp4", "video/mp4", true, "music"],
])("%s (%s) dropped on the music section %s is for %s", (name, type, isOnMusic, use) => {
  expect(uploadUseOf({ name, type }, isOnMusic)).toBe(use);
});
