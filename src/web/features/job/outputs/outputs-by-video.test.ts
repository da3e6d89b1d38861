import { expect, test } from "vitest";
import { applyToOutputs, groupByVideo, playlistOf, shownOutputs, stepFrom } from "./outputs-by-video.ts";
import { testOutput, testVideo } from "../test-rows.ts";

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

const made = testOutput({ id: "made" });
const waiting = testOutput({ id: "waiting", status: "Queued" });
const broken = testOutput({ id: "broken", status: "Failed", error_message: "The track ended early." });
const swept = testOutput({ id: "swept", status: "Failed", error_message: "Not shared." });

test("shows every file of a processing video", () => {
  expect(shownOutputs(testVideo({ status: "Processing" }), [made, waiting])).toEqual([made, waiting]);
});

test("shows completed files of a failed video and files with an error of their own", () => {
  const failed = testVideo({ status: "Failed", error_message: "Not shared." });
  expect(shownOutputs(failed, [made, waiting, broken, swept])).toEqual([made, broken]);
});

const playable = (id: string) => testOutput({ id, media_url: `/media/${id}` });

test("plays the files shown, in video order, without missing files", () => {
  const videos = [testVideo({ id: "first" }), testVideo({ id: "second", status: "Completed" })];
  const outputs = { second: [playable("c")], first: [playable("a"), testOutput({ id: "deleted" }), playable("b")] };
  expect(playlistOf(videos, outputs).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

test("steps to the neighbors, wrapping around", () => {
  const playlist = [playable("a"), playable("b"), playable("c")];
  expect(stepFrom(playlist, "a", 1)?.id).toBe("b");
  expect(stepFrom(playlist, "c", 1)?.id).toBe("a");
  expect(stepFrom(playlist, "a", -1)?.id).toBe("c");
});

test("steps from a deleted file to the first one, and nowhere without files", () => {
  expect(stepFrom([playable("a"), playable("b")], "deleted", 1)?.id).toBe("a");
  expect(stepFrom([], "deleted", 1)).toBeNull();
});
