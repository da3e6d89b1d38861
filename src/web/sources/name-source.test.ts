import { expect, test } from "vitest";
import { nameSource } from "./named-sources.ts";

const library = [{ id: "abc", name: "Warm Rhodes.m4a" }];

test.each([
  ["https://clipmill.local/file/d/abc", "Warm Rhodes.m4a"],
  ["https://clipmill.local/file/d/abc/view?usp=sharing", "Warm Rhodes.m4a"],
  ["https://clipmill.local/file/d/gone", "Deleted library file"],
  ["https://drive.google.com/file/d/1x8Qm4tB0vYf/view?usp=sharing", "Drive file 1x8Qm4tB0vYf"],
  ["https://drive.google.com/open?id=1x8Qm4", "Drive file 1x8Qm4"],
  ["https://www.instagram.com/reels/audio/123/?hl=en", "Instagram reels/audio/123"],
  ["Sunday drums.mp3", "Sunday drums.mp3"],
])("%s is named %s", (link, name) => {
  expect(nameSource(link, library)).toBe(name);
});

test("a library file is not called deleted before the library is loaded", () => {
  expect(nameSource("https://clipmill.local/file/d/abc", undefined)).toBe("Library file");
});
