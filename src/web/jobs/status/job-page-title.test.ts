import { expect, test } from "vitest";
import { jobPageTitle } from "./job-page-title.ts";
import { testJob } from "../test-job.ts";

test("starts with the progress while the job is processing", () => {
  expect(jobPageTitle(testJob({ job_name: "Harbor", progress: 41.6 }))).toBe("42% · Harbor");
  expect(jobPageTitle(testJob({ job_name: "Harbor", progress: 0 }))).toBe("3% · Harbor");
});

test("is the job's name otherwise", () => {
  expect(jobPageTitle(testJob({ job_name: "Harbor", status: "Completed", progress: 100 }))).toBe("Harbor");
  expect(jobPageTitle(testJob({ id: "7f3a91c2-0000", job_name: "", status: "Queued" }))).toBe("Job 7f3a91c2");
});
