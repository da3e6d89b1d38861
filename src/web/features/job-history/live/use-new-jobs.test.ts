import { expect, test } from "vitest";
import { testJob } from "../../../jobs/test-job.ts";
import { holdBack } from "./use-new-jobs.ts";

const jobs = ["12:03", "12:02", "12:01"].map((time) => testJob({ id: time, created_at: `2026-11-20T${time}:00.000Z` }));

test("holds back jobs created after scrolling away and shows the others", () => {
  const { shown, waiting } = holdBack(jobs, "2026-11-20T12:01:00.000Z");
  expect(shown.map(({ id }) => id)).toEqual(["12:01"]);
  expect(waiting).toBe(2);
});

test("holds nothing back at the top or without new jobs", () => {
  expect(holdBack(jobs, null)).toEqual({ shown: jobs, waiting: 0 });
  expect(holdBack(jobs, "2026-11-20T12:03:00.000Z")).toEqual({ shown: jobs, waiting: 0 });
});

test("handles the deletion of all older jobs", () => {
  expect(holdBack(jobs.slice(0, 2), "2026-11-20T12:01:00.000Z")).toEqual({ shown: [], waiting: 2 });
});
