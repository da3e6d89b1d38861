import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { jobKeys } from "./job-keys.ts";
import { testJob } from "../test-job.ts";
import { applyJobChange } from "./apply-job-change.ts";

const client = new QueryClient();
const key = jobKeys.job("a");
const job = testJob({ id: "a", status: "Completed", updated_at: "2026-01-01T00:00:02Z" });
const cached = () => client.getQueryData<Job>(key);

beforeEach(() => client.setQueryData(key, job));

test("a newer row replaces the job", () => {
  const row = { ...job, status: "Failed" as const, updated_at: "2026-01-01T00:00:03Z" };
  applyJobChange(client, "a", { type: "UPDATE", row });
  expect(cached()).toEqual(row);
});

test("a row older than a response changes nothing", () => {
  const row = { ...job, status: "Processing" as const, updated_at: "2026-01-01T00:00:01Z" };
  applyJobChange(client, "a", { type: "UPDATE", row });
  expect(cached()).toEqual(job);
});

test("a deleted job is read again", () => {
  applyJobChange(client, "a", { type: "DELETE", id: "a" });
  expect(client.getQueryState(key)?.isInvalidated).toBe(true);
});
