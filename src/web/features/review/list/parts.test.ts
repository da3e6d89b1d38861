import { expect, test } from "vitest";
import { partsOf } from "./parts.ts";

const clips = (count: number) => Array.from({ length: count }, (_, i) => ({ link: `https://clips.test/${i}` }));
const slots = [
  { name: "Hook", clips: clips(2) },
  { name: "Body", clips: clips(3) },
];
const clipsOf = new Map([
  ["a", [0, 2]],
  ["b", [1, 2]],
  ["c", [0, 0]],
]);
const outputs = ["a", "a", "b", "c"].map((video, id) => ({ id, video_id: video }));

test("names the clips of a file, with all files that show each", () => {
  const parts = partsOf(slots, clipsOf, outputs, outputs[0]!);
  expect(parts.map(({ name, outputs: shown }) => [name, shown.map(({ id }) => id)])).toEqual([
    ["Hook 1", [0, 1, 3]],
    ["Body 3", [0, 1, 2]],
  ]);
  expect(partsOf(slots, new Map(), outputs, outputs[0]!)).toEqual([]);
});
