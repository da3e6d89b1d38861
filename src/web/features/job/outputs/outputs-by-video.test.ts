import { expect, test } from "vitest";
import { applyToOutputs, groupByVideo } from "./outputs-by-video.ts";
import { testOutput } from "../test-rows.ts";

const a1 = testOutput({ id: "a1", video_id: "a", variant: 0 });
const a2 = testOutput({ id: "a2", video_id: "a", variant: 1, status: "Processing" });
const b1 = testOutput({ id: "b1", video_id: "b", variant: 0, segment: 1 });
const b0 = testOutput({ id: "b0", video_id: "b", variant: 0, segment: 0 });
const groups = groupByVideo([a1, b1, b0, a2]);

test("groups files by video, sorted by variant and segment", () => {
  expect(groups).toEqual({ a: [a1, a2], b: [b0, b1] });
});

test("merges changes into their video and keeps the others unchanged", () => {
  const done = { ...a2, status: "Completed" as const };
  const a3 = testOutput({ id: "a3", video_id: "a", variant: 2 });
  const changed = applyToOutputs(groups, [
    { type: "INSERT", row: a3 },
    { type: "UPDATE", row: { ...a2, progress: 70 } },
    { type: "UPDATE", row: done },
  ]);
  expect(changed.a).toEqual([a1, done, a3]);
  expect(changed.b).toBe(groups.b);
});

test("removes a deleted file by its id alone", () => {
  expect(applyToOutputs(groups, [{ type: "DELETE", id: "b0" }])).toEqual({ a: [a1, a2], b: [b1] });
});

test("adds the first file of a video", () => {
  const c1 = testOutput({ id: "c1", video_id: "c" });
  expect(applyToOutputs(groups, [{ type: "INSERT", row: c1 }]).c).toEqual([c1]);
});
