import { expect, test } from "vitest";
import { testJob } from "../../jobs/test-job.ts";
import { describeSeconds, describeTime, secondsLeft } from "./time-left.ts";

const startedAt = "2026-11-20T21:12:00.000Z";
const now = Date.parse("2026-11-20T21:18:40.000Z");

test("expects the rest to take as long as what is done took", () => {
  expect(secondsLeft(50, 400)).toBe(400);
  expect(secondsLeft(80, 400)).toBe(100);
});

test("does not guess before something is done", () => {
  expect(secondsLeft(1, 400)).toBeNull();
  expect(secondsLeft(50, 1)).toBeNull();
  expect(secondsLeft(50, null)).toBeNull();
});

test("says the time in round words", () => {
  expect(describeSeconds(20)).toBe("Less than a minute");
  expect(describeSeconds(250)).toBe("About 4 min");
  expect(describeSeconds(4_900)).toBe("About 1 h 20 min");
  expect(describeSeconds(7_190)).toBe("About 2 h");
  expect(describeSeconds(null)).toBe("Not known yet");
});

test("says how long an ended job took", () => {
  const job = testJob({ processing_started_at: startedAt, updated_at: "2026-11-20T21:18:40.000Z", progress: 62.5 });
  expect(describeTime({ ...job, status: "Processing" }, now)).toEqual({ label: "Time left", text: "About 4 min" });
  expect(describeTime({ ...job, status: "Completed" }, now)).toEqual({ label: "Finished in", text: "6m 40s" });
  const unstarted = { ...job, status: "Cancelled" as const, processing_started_at: null };
  expect(describeTime(unstarted, now)).toEqual({ label: "Cancelled", text: "Before it started" });
});
