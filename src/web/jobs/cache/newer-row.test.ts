import { expect, test } from "vitest";
import { keepNewer, mergeRow, newerOf } from "./newer-row.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

test("keeps a row that became newer while the request was in flight, and takes all others", () => {
  const response = [
    { id: "a", updated_at: at(10), status: "Processing" },
    { id: "b", updated_at: at(10), status: "Queued #1" },
    { id: "c", updated_at: at(10), status: "Completed" },
  ];
  const known = [
    { id: "a", updated_at: at(11), status: "Completed" },
    { id: "b", updated_at: at(10), status: "Queued #2" },
    { id: "gone", updated_at: at(99), status: "Failed" },
  ];
  expect(keepNewer(response, known).map((row) => row.status)).toEqual(["Completed", "Queued #1", "Completed"]);
});

test("keeps the lists that a light row lacks, whichever row is newer", () => {
  const whole = { id: "a", updated_at: at(10), status: "Queued", input_videos: ["one"] };
  const light = (seconds: number): Omit<typeof whole, "input_videos"> & { input_videos?: string[] } => ({
    id: "a",
    updated_at: at(seconds),
    status: "Processing",
  });
  expect(newerOf(light(11), whole)).toEqual({ ...light(11), input_videos: ["one"] });
  expect(newerOf(light(9), whole)).toBe(whole);
  expect(newerOf<ReturnType<typeof light>>(whole, light(11))).toEqual({ ...light(11), input_videos: ["one"] });
});

test("takes every value of the row, and the row itself when it lacks nothing", () => {
  const row = { id: "a", error_message: null, input_videos: ["new"] };
  expect(mergeRow<object>(row, { id: "a", error_message: "old", input_videos: ["old"] })).toBe(row);
  expect(mergeRow(row, undefined)).toBe(row);
});
