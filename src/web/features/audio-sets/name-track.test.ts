import { expect, test } from "vitest";
import { nameTrack } from "./name-track.ts";

const library = [{ link: "https://clipmill.local/file/d/abc", name: "Warm Rhodes.m4a" }];

test.each([
  ["https://clipmill.local/file/d/abc", "Warm Rhodes.m4a"],
  ["https://clipmill.local/file/d/gone", "Library file gone"],
  ["https://drive.google.com/file/d/1x8Qm4tB0vYf/view?usp=sharing", "Drive file 1x8Qm4tB0vYf"],
  ["https://drive.google.com/open?id=1x8Qm4", "Drive file 1x8Qm4"],
  ["https://www.instagram.com/reels/audio/123/?hl=en", "Instagram reels/audio/123"],
  ["Sunday drums.mp3", "Sunday drums.mp3"],
])("%s is called %s", (link, name) => {
  expect(nameTrack(link, library)).toBe(name);
});
