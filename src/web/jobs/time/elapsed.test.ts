import { expect, test } from "vitest";
import { elapsedSeconds, formatElapsed } from "./elapsed.ts";

const started = "2026-11-20T21:00:00.000Z";
const updated = "2026-11-20T21:01:52.000Z";
const now = Date.parse("2026-11-20T22:04:00.000Z");

// spec 4.7.2
test("ends now while a job is processing, otherwise at its last update", () => {
  const job = { processing_started_at: started, updated_at: updated };
  expect(elapsedSeconds({ ...job, status: "Processing" }, now)).toBe(3840);
  expect(elapsedSeconds({ ...job, status: "Completed" }, now)).toBe(112);
});

test("does not count waits for an approval", () => {
  const job = { processing_started_at: started, updated_at: updated, awaited_seconds: 600 };
  expect(elapsedSeconds({ ...job, status: "Processing" }, now)).toBe(3240);
  const waiting = { ...job, status: "Processing" as const, awaiting_since: "2026-11-20T21:30:00.000Z" };
  expect(elapsedSeconds(waiting, now)).toBe(1200);
  expect(elapsedSeconds(waiting, now + 60_000)).toBe(1200);
});

// spec 4.7.1
test("is unknown before the start and never negative", () => {
  expect(elapsedSeconds({ status: "Queued", processing_started_at: null, updated_at: updated }, now)).toBeNull();
  const early = { status: "Processing", processing_started_at: started, updated_at: updated } as const;
  expect(elapsedSeconds(early, Date.parse(started) - 5000)).toBe(0);
});

// spec 4.7.1, 4.7.3
test("is formatted as hours and minutes, minutes and seconds, or seconds", () => {
  expect(formatElapsed(3840)).toBe("1h 4m");
  expect(formatElapsed(112)).toBe("1m 52s");
  expect(formatElapsed(60)).toBe("1m 0s");
  expect(formatElapsed(9)).toBe("9s");
  expect(formatElapsed(null)).toBe("--");
});
