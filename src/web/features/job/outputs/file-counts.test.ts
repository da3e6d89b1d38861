import { expect, test } from "vitest";
import { testJob } from "../../../jobs/test-job.ts";
import { countFiles, fileSlats, filesOf } from "./file-counts.ts";
import { groupByVideo } from "./outputs-by-video.ts";
import { testOutput, testVideo } from "../test-rows.ts";

const job = testJob({ variants_per_video: 2 });
const videos = [
  testVideo({ id: "done", status: "Completed" }),
  testVideo({ id: "failed", status: "Failed" }),
  testVideo({ id: "running", status: "Processing" }),
  testVideo({ id: "waiting", status: "Queued" }),
];
const groups = groupByVideo([
  testOutput({ id: "1", video_id: "done", variant: 0 }),
  testOutput({ id: "2", video_id: "done", variant: 1, status: "Failed" }),
  testOutput({ id: "3", video_id: "running", variant: 0, status: "Processing", progress: 64 }),
  testOutput({ id: "4", video_id: "running", variant: 1, status: "Queued" }),
]);

test("counts completed, failed (including all of a failed video) and remaining files", () => {
  expect(countFiles(job, videos, groups)).toEqual({ done: 1, failed: 3, toDo: 4, isExact: true });
});

test("returns one slat per file in video order", () => {
  expect(fileSlats(job, videos, groups, 48)).toEqual([
    "done",
    "failed",
    "failed",
    "failed",
    { running: 0.64 },
    "todo",
    "todo",
    "todo",
  ]);
  expect(fileSlats(job, videos, groups, 7)).toEqual([]);
});

test("counts the files that follow an approval, beside the sample", () => {
  const sampled = [testVideo({ id: "sampled", status: "Queued" })];
  const sample = groupByVideo([testOutput({ id: "1", video_id: "sampled", variant: 0 })]);
  expect(countFiles(job, sampled, sample)).toEqual({ done: 1, failed: 0, toDo: 1, isExact: true });
  expect(fileSlats(job, sampled, sample, 48)).toEqual(["done", "todo"]);
});

test("counts a video's clips once its length is known", () => {
  const cut = testJob({ variants_per_video: 2, segmentation_type: "multiple", segment_duration: 10 });
  expect(filesOf(cut, testVideo({ duration_seconds: null }), [])).toEqual({ files: 2, isExact: false });
  expect(filesOf(cut, testVideo({ duration_seconds: 25 }), [])).toEqual({ files: 6, isExact: true });
});
