import { expect, test } from "vitest";
import { testJob } from "../../../jobs/test-job.ts";
import { describeTime } from "./time-left.ts";

const startedAt = "2026-11-20T21:12:00.000Z";
const now = Date.parse("2026-11-20T21:18:40.000Z");

test("describes the time left or taken", () => {
  const job = testJob({ processing_started_at: startedAt, updated_at: "2026-11-20T21:18:40.000Z", seconds_left: 240 });
  expect(describeTime({ ...job, status: "Processing" }, now)).toEqual({ label: "Time left", text: "About 4 min" });
  const unmeasured = { ...job, status: "Processing" as const, seconds_left: null };
  expect(describeTime(unmeasured, now)).toEqual({ label: "Time left", text: "Estimating…" });
  const held = { ...job, status: "Processing" as const, held_at: "2026-11-20T21:14:00.000Z" };
  expect(describeTime(held, now)).toEqual({ label: "Time left", text: "On hold" });
  expect(describeTime({ ...held, status: "Completed" }, now)).toEqual({ label: "Finished in", text: "6m 40s" });
  const unstarted = { ...job, status: "Cancelled" as const, processing_started_at: null };
  expect(describeTime(unstarted, now)).toEqual({ label: "Cancelled", text: "Before it started" });
});
