import { expect, test } from "vitest";
import type { DashboardResponse } from "#contract/calls.ts";
import { testJob } from "../../jobs/test-job.ts";
import { applyToDashboard } from "./dashboard-changes.ts";

const stats = {
  videosToday: 1,
  jobsToday: 1,
  processing: 0,
  awaitingApproval: 0,
  queued: 0,
  cancelling: 0,
  captionSets: 0,
  captions: 0,
  audioSets: 0,
  tracks: 0,
};
const dashboard: DashboardResponse = { jobs: ["e", "d", "c", "b", "a"].map((id) => testJob({ id })), stats };
const ids = (data: DashboardResponse) => data.jobs.map((job) => job.id).join("");

// spec 4.2.1, 4.2.2, 9.1
test("puts a new job in front and keeps five", () => {
  expect(ids(applyToDashboard(dashboard, { type: "INSERT", row: testJob({ id: "f" }) }))).toBe("fedcb");
});

// spec 4.2.1, 4.2.2, 9.1
test("replaces the older version of a job in its place", () => {
  const changed = applyToDashboard(dashboard, { type: "UPDATE", row: testJob({ id: "c", status: "Completed" }) });
  expect(ids(changed)).toBe("edcba");
  expect(changed.jobs[2]?.status).toBe("Completed");
});

test("does not add an older job that changed, nor a new one twice", () => {
  expect(ids(applyToDashboard(dashboard, { type: "UPDATE", row: testJob({ id: "old" }) }))).toBe("edcba");
  expect(ids(applyToDashboard(dashboard, { type: "INSERT", row: testJob({ id: "e" }) }))).toBe("edcba");
});

test("removes a deleted job", () => {
  expect(ids(applyToDashboard(dashboard, { type: "DELETE", id: "d" }))).toBe("ecba");
});

test("keeps a job's lists if its live update lacks them", () => {
  const { input_videos, custom_captions, custom_audio_links, ...light } = testJob({ id: "c", status: "Completed" });
  const changed = applyToDashboard(dashboard, { type: "UPDATE", row: light });
  expect(changed.jobs[2]).toEqual({ ...light, input_videos, custom_captions, custom_audio_links });
});
