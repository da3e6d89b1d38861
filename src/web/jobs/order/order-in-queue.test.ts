import { describe, expect, it } from "vitest";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";
import { canChangeOrder, isOnHold } from "./order-in-queue.ts";
import { testJob } from "../test-job.ts";

const HELD = "2026-11-21T09:00:00.000Z";

describe("a job's order in the queue", () => {
  it("can be changed while some of its videos are waiting", () => {
    const can = JOB_STATUSES.filter((status) => canChangeOrder(testJob({ status, waiting_videos: 2 })));
    expect(can).toEqual(["Queued", "Processing"]);
    expect(canChangeOrder(testJob({ status: "Processing", waiting_videos: 0 }))).toBe(false);
    expect(canChangeOrder(testJob({ status: "Queued", waiting_videos: 2, held_at: HELD }))).toBe(false);
  });

  it("is on hold only until the job ends", () => {
    const held = JOB_STATUSES.filter((status) => isOnHold(testJob({ status, held_at: HELD })));
    expect(held).toEqual(["Queued", "Processing"]);
    expect(isOnHold(testJob({ status: "Queued" }))).toBe(false);
  });
});
