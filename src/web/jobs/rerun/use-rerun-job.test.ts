import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { JobStatus } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { createJob, readJob } from "../../api/jobs.ts";
import { dismissToast, toastList } from "../../ui/toasts/toast-list.ts";
import { readHistoryFilter } from "../cache/history-filter.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { jobsOf, toJobPage, type JobPages } from "../cache/job-pages.ts";
import { testJob } from "../test-job.ts";
import { canRerun, rerunJobOptions } from "./use-rerun-job.ts";

vi.mock(import("../../api/jobs.ts"), () => ({
  createJob: vi.fn<typeof createJob>(),
  readJob: vi.fn<typeof readJob>(),
}));

const old = testJob({ status: "Failed" });
const client = new QueryClient();
const pages = (): JobPages => ({ pages: [toJobPage({ jobs: [old], total: 1 })], pageParams: [1] });

afterEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
  client.clear();
});

function rerun() {
  return new MutationObserver(client, rerunJobOptions(client)).mutate(old.id);
}

// spec 4.5.3, 8.29
test("creates a copy and adds it to the top of the matching lists", async () => {
  const everything = jobKeys.history(readHistoryFilter({}));
  const failed = jobKeys.history(readHistoryFilter({ status: "Failed" }));
  client.setQueryData<JobPages>(everything, pages());
  client.setQueryData<JobPages>(failed, pages());
  const made = testJob({ id: "new", status: "Queued", job_name: "Harbor hotel walkthroughs (Rerun)" });
  vi.mocked(readJob).mockResolvedValue(old);
  vi.mocked(createJob).mockResolvedValue(made);

  await rerun();
  expect(createJob).toHaveBeenCalledWith(expect.objectContaining({ job_name: made.job_name, variants_per_video: 4 }));
  expect(jobsOf(client.getQueryData<JobPages>(everything)!).map((job) => job.id)).toEqual(["new", old.id]);
  expect(jobsOf(client.getQueryData<JobPages>(failed)!).map((job) => job.id)).toEqual([old.id]);
  expect(toastList.read()).toMatchObject([
    { title: "Job Restarted", description: "The job has been queued for processing." },
  ]);
});

test("shows why the server rejects the old settings", async () => {
  const reason = "The watermark image is no longer in the library. Choose another one or remove it";
  vi.mocked(readJob).mockResolvedValue(old);
  vi.mocked(createJob).mockRejectedValue(new CallError(400, reason, "Watermark Image Not Found", true));
  await expect(rerun()).rejects.toThrow(reason);
  expect(toastList.read()).toMatchObject([{ title: "Failed to Restart Job", description: reason }]);
});

test("shows an error when the rerun fails", async () => {
  vi.mocked(readJob).mockRejectedValue(new Error("gone"));
  await expect(rerun()).rejects.toThrow("gone");
  expect(toastList.read()).toMatchObject([
    {
      title: "Failed to Restart Job",
      description: "There was an error restarting the job. Please try again.",
      variant: "destructive",
    },
  ]);
});

test("names the limit for a job that exceeds it, and sends nothing", async () => {
  const large = testJob({ status: "Failed", custom_captions: Array.from({ length: 1_000 }, () => "x".repeat(2_000)) });
  vi.mocked(readJob).mockResolvedValue(large);
  vi.mocked(createJob).mockClear();
  await expect(rerun()).rejects.toThrow("1 MB");
  expect(createJob).not.toHaveBeenCalled();
  expect(toastList.read()).toMatchObject([
    {
      title: "Failed to Restart Job",
      description: "A job can have at most 1 MB of caption text",
      variant: "destructive",
    },
  ]);
});

// spec 4.5.1
test("is offered for jobs that are neither Queued nor Processing; an unknown status counts as Queued", () => {
  expect(canRerun({ status: "Queued" })).toBe(false);
  expect(canRerun({ status: "Processing" })).toBe(false);
  // Unknown to this version, which shows it as Queued.
  expect(canRerun({ status: "Paused" as JobStatus })).toBe(false);
  for (const status of ["Cancelling", "Completed", "Failed", "Cancelled"] as const) {
    expect(canRerun({ status })).toBe(true);
  }
});
