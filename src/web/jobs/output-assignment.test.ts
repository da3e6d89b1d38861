import { expect, test } from "vitest";
import { assignmentOf } from "./output-assignment.ts";
import { testJob } from "./test-job.ts";

const video = { position: 1, duration_seconds: 25 };

test("finds the part, caption and track of an output, with what its row changes", () => {
  const job = testJob({
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["A", "B", "C"],
    rows: [
      { link: "x" },
      { link: "y", settings: { segmentation_type: "multiple", segment_duration: 10, start_seconds: 5 } },
    ],
  });
  expect(assignmentOf(job, { ...video, position: 0 }, { variant: 1, segment: 0 })).toMatchObject({
    assignment: { window: null, captionIndex: 1 },
  });
  expect(assignmentOf(job, video, { variant: 1, segment: 1 })).toMatchObject({
    settings: { segment_duration: 10 },
    assignment: { window: { startSeconds: 15, endSeconds: 25 }, captionIndex: 0 },
  });
  expect(assignmentOf(job, video, { variant: 5, segment: 0 })).toBeNull();
  expect(assignmentOf(job, { ...video, duration_seconds: null }, { variant: 0, segment: 0 })).toBeNull();
  expect(assignmentOf(job, { ...video, duration_seconds: 2 }, { variant: 0, segment: 0 })).toBeNull();
});
