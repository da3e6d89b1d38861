import { expect, it } from "vitest";
import { nextName, suggestJobName } from "./use-suggested-name.ts";

const DATE = new Date(2026, 10, 2);

it.each([
  ["House style", "beach.MP4", 0, "House style 2026-11-02 beach"],
  [null, "a.b.mov", 3, "2026-11-02 a.b + 3"],
  [null, null, 3, "2026-11-02"],
  ["P", `${"😀".repeat(70)}.mp4`, 0, `P 2026-11-02 ${"😀".repeat(60)}...`],
])("suggests a name for the preset %j, the file %j and %d others", (preset, file, others, name) => {
  expect(suggestJobName(preset, DATE, file, others)).toBe(name);
});

it.each([
  ["fills an untouched name", { name: "", suggested: "" }, "A", { name: "A", suggested: "A" }],
  [
    "follows the form while the suggestion is unchanged",
    { name: "A", suggested: "A" },
    "B",
    { name: "B", suggested: "B" },
  ],
  ["keeps a typed name", { name: "Mine", suggested: "A" }, "B", null],
  // spec 5.5: "Job Name Required" shows
  ["keeps an emptied name", { name: "", suggested: "A" }, "B", null],
  ["withdraws the suggestion with the links", { name: "A", suggested: "A" }, null, { name: "", suggested: "" }],
  ["starts over after the links are gone", { name: "", suggested: "A" }, null, { name: "", suggested: "" }],
  ["keeps a typed name without links", { name: "Mine", suggested: "A" }, null, { name: "Mine", suggested: "" }],
  ["does nothing without links and suggestion", { name: "", suggested: "" }, null, null],
])("%s", (_, state, suggestion, expected) => expect(nextName(state, suggestion)).toEqual(expected));
