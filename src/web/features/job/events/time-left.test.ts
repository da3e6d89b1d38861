import { expect, test } from "vitest";
import { testJob } from "../../../jobs/test-job.ts";
import { describeTime } from "./time-left.ts";

const startedAt = "2026-11-20T11:12:00.000Z";
const now = Date.parse("2026-11-20T11:18:40.000Z");
const elapsed = "6m 40s";

test("describes the time left or taken, and when the job is done", () => {
  const job = testJob({ processing_started_at: startedAt, updated_at: "2026-11-20T11:18:40.000Z", seconds_left: 240 });
  const end = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const at = end.format(new Date("2026-11-20T11:22:40.000Z"));
  const left = { label: "Time left", text: "About 4 min", note: `Done at about ${at}` };
  expect(describeTime({ ...job, status: "Processing" }, now)).toEqual(left);
  // The end stays until the next measurement.
  expect(describeTime({ ...job, status: "Processing" }, now + 20_000)).toEqual(left);
  const days = { ...job, status: "Processing" as const, seconds_left: 2 * 86_400 };
  expect(describeTime(days, now).note).toMatch(/^Done at about Nov 22, /);
  const unmeasured = { ...job, status: "Processing" as const, seconds_left: null };
  expect(describeTime(unmeasured, now)).toEqual({ label: "Elapsed", text: elapsed, note: "Estimating the time left…" });
  const held = { ...job, status: "Processing" as const, held_at: "2026-11-20T11:14:00.000Z" };
  expect(describeTime(held, now)).toEqual({ label: "Elapsed", text: elapsed, note: "On hold" });
  expect(describeTime({ ...held, status: "Completed" }, now)).toEqual({
    label: "Finished in",
    text: elapsed,
    note: null,
  });
  const unstarted = { ...job, status: "Cancelled" as const, processing_started_at: null };
  expect(describeTime(unstarted, now)).toEqual({ label: "Cancelled", text: "Before it started", note: null });
  const queued = { ...unstarted, status: "Queued" as const };
  expect(describeTime(queued, now)).toEqual({ label: "Elapsed", text: "--", note: "Waiting in the queue" });
});

test("stops while a client decides", () => {
  const job = testJob({
    status: "Processing",
    proof_state: "waiting",
    processing_started_at: startedAt,
    awaiting_since: "2026-11-20T11:14:00.000Z",
  });
  const words = { label: "Elapsed", text: "2m 0s", note: "Needs approval. Waiting does not count." };
  expect(describeTime(job, now)).toEqual(words);
});
