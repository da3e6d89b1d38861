import { expect, test } from "vitest";
import type { JobEvent } from "#contract/jobs/jobs.ts";
import { describeEvent } from "./describe-event.ts";

const event: JobEvent = {
  id: 1,
  job_id: "job",
  video_id: null,
  status: "Queued",
  attempt: null,
  message: null,
  created_at: "2026-11-20T21:12:00.000Z",
};

test("describes an event of the job or of a video", () => {
  expect(describeEvent(event, undefined)).toBe("Job queued");
  expect(describeEvent({ ...event, video_id: "v", status: "Processing", attempt: 1 }, 2)).toBe("Video 3 processing");
});

test("shows attempts from the second", () => {
  expect(describeEvent({ ...event, video_id: "v", status: "Failed", attempt: 2 }, 2)).toBe("Video 3 failed, attempt 2");
});
