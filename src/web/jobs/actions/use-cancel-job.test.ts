import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelJob } from "../../api/jobs.ts";
import { dismissToast, toastList } from "../../ui/toasts/toast-list.ts";
import { readHistoryFilter } from "../cache/history-filter.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { jobsOf, toJobPage, type JobPages } from "../cache/job-pages.ts";
import { testJob } from "../test-job.ts";
import { asCancelling, cancelJobOptions } from "./use-cancel-job.ts";

vi.mock(import("../../api/jobs.ts"), () => ({ cancelJob: vi.fn<typeof cancelJob>() }));

const job = testJob({ status: "Processing", error_message: null });
const historyKey = jobKeys.history(readHistoryFilter({}));
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData<JobPages>(historyKey, { pages: [toJobPage({ jobs: [job], total: 1 })], pageParams: [1] });
});
afterEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
  client.clear();
});

function cancel() {
  return new MutationObserver(client, cancelJobOptions(client)).mutate(job.id);
}
function shownJob() {
  return jobsOf(client.getQueryData<JobPages>(historyKey)!)[0];
}

// spec 4.4.1
test("shows a job that can be cancelled as Cancelling, and any other unchanged", () => {
  expect(asCancelling(testJob({ status: "Queued", queue_position: 2 }))).toMatchObject({
    status: "Cancelling",
    queue_position: null,
  });
  const completed = testJob({ status: "Completed" });
  expect(asCancelling(completed)).toBe(completed);
});

// spec 4.4.3, 8.29
test("sets the job to Cancelled with its message when the call succeeds", async () => {
  vi.mocked(cancelJob).mockResolvedValue({ success: true });
  await cancel();
  expect(shownJob()).toMatchObject({ status: "Cancelled", error_message: "Job cancelled by user" });
  expect(toastList.read()).toMatchObject([
    { title: "Job cancelled", description: "The job has been successfully cancelled." },
  ]);
});

// spec 4.4.4
test("keeps status and message when the call is rejected, and shows the server's reason", async () => {
  vi.mocked(cancelJob).mockResolvedValue({ success: false, error: "The job has already finished." });
  await expect(cancel()).rejects.toThrow("The job has already finished.");
  expect(shownJob()).toEqual(job);
  expect(toastList.read()).toMatchObject([
    { title: "Error", description: "The job has already finished.", variant: "destructive" },
  ]);
});

test("shows a fallback for a rejection without a reason and for a failed call", async () => {
  vi.mocked(cancelJob).mockResolvedValueOnce({ success: false });
  await expect(cancel()).rejects.toThrow(Error);
  vi.mocked(cancelJob).mockRejectedValueOnce(new Error("The server could not be reached."));
  await expect(cancel()).rejects.toThrow("could not be reached");
  expect(toastList.read().map((toast) => toast.description)).toEqual([
    "Failed to cancel the job. The VPS may not support cancellation yet.",
    "Failed to cancel the job. Please try again.",
  ]);
});
