import { expect, it } from "vitest";
import { cardPercent, describeProgress, describeStart } from "./describe-progress.ts";

const job = { status: "Processing", progress: 0, current_video: 2, total_videos: 5, error_message: null } as const;

// spec 3.2, 4.3.2
it("names the current video", () => {
  expect(describeProgress(job)).toBe("Processing video 2/5...");
});

// spec 3.2, 4.3.2
it("uses a general text if counts are missing", () => {
  expect(describeProgress({ ...job, current_video: null })).toBe("Processing videos...");
});

it("describes how the job ended", () => {
  expect(describeStart(5)).toBe("Starting processing of 5 video(s)...");
  expect(describeProgress({ ...job, status: "Queued" })).toBe("Starting processing of 5 video(s)...");
  expect(describeProgress({ ...job, status: "Completed" })).toBe("Processing completed!");
  expect(describeProgress({ ...job, status: "Failed" })).toBe("Processing failed");
  expect(describeProgress({ ...job, status: "Cancelled" })).toBe("Job cancelled by user");
});

// spec 4.3.1
it("shows 3 percent for progress of 0 while processing, and 0 after a failure", () => {
  expect(cardPercent(job)).toBe(3);
  expect(cardPercent({ ...job, progress: 41.6 })).toBe(42);
  expect(cardPercent({ ...job, status: "Queued" })).toBe(0);
  expect(cardPercent({ ...job, status: "Failed", progress: 80 })).toBe(0);
});
