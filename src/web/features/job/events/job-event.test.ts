import { expect, test } from "vitest";
import type { JobEvent } from "#contract/jobs/jobs.ts";
import { addNewest, describeEvent } from "./job-event.ts";

const event = (id: number): JobEvent => ({
  id,
  job_id: "job",
  video_id: null,
  status: "Queued",
  attempt: null,
  message: null,
  created_at: "2026-11-20T21:12:00.000Z",
});
const events = [1, 2, 3, 4, 5, 6, 7].map(event);

test("adds the newest events to the known ones", () => {
  expect(addNewest(events.slice(0, 5), { data: events.slice(3), total: 7 })).toEqual(events);
  expect(addNewest([], { data: events, total: 7 })).toEqual(events);
});

test("finds that events are missing or were deleted", () => {
  expect(addNewest([], { data: events.slice(3), total: 7 })).toBeNull();
  expect(addNewest(events.slice(0, 2), { data: events.slice(3), total: 7 })).toBeNull();
  // The third was committed late.
  expect(addNewest([1, 2, 4, 5].map(event), { data: events.slice(3), total: 7 })).toBeNull();
  expect(addNewest(events.slice(0, 5), { data: events.slice(3), total: 5 })).toBeNull();
});

test("describes an event of the job or of a video", () => {
  expect(describeEvent(event(1), undefined)).toBe("Job queued");
  expect(describeEvent({ ...event(1), video_id: "v", status: "Processing", attempt: 1 }, 2)).toBe("Video 3 processing");
});

test("shows attempts from the second", () => {
  expect(describeEvent({ ...event(1), video_id: "v", status: "Failed", attempt: 2 }, 2)).toBe(
    "Video 3 failed, attempt 2",
  );
});
