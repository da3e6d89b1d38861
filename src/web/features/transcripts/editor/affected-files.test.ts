import { expect, test } from "vitest";
import { affectedJobs, describeChanges, describeEncoding, describeFiles } from "./affected-files.ts";

const videos = [
  { job_id: "a", job_name: "A", video_id: "a0", position: 0, name: null },
  { job_id: "a", job_name: "A", video_id: "a3", position: 3, name: null },
  { job_id: "b", job_name: "B", video_id: "b0", position: 0, name: null },
];
const file = (video_id: string, start_seconds: number | null, end_seconds: number | null) => ({
  ...{ id: `${video_id} ${start_seconds}`, video_id, start_seconds, end_seconds },
});
const changes = { words: 2, lines: 1, spans: [{ startSeconds: 10, endSeconds: 12 }] };

test("counts the files whose part of the source has a change, by job", () => {
  const files = [file("a0", 0, 15), file("a0", 11, 20), file("a0", 12, 20), file("a3", 0, 9), file("b0", null, null)];
  const jobs = affectedJobs(videos, files, changes, 60);
  expect(jobs).toEqual([
    { jobId: "a", positions: [0], files: 2, seconds: 15 + 9, encoded: 5 + 4.5 },
    { jobId: "b", positions: [0], files: 1, seconds: 60, encoded: 4 },
  ]);
  expect(describeFiles(jobs)).toBe("3 files of 2 jobs show the old text.");
  expect(describeFiles(affectedJobs(videos, [file("a3", 0, 9)], changes, 60))).toBe(
    "No finished file shows the old text.",
  );
  expect(describeEncoding(jobs)).toContain("About 0:14 of 1:24 is encoded again.");
  expect(describeFiles(jobs.slice(1))).toBe("1 file shows the old text.");
  expect(describeChanges(changes)).toBe("2 words changed.");
  expect(describeChanges({ ...changes, words: 0 })).toBe("1 line changed.");
});
