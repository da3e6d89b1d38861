import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { CallError } from "../../api/functions/call-error.ts";
import { retryJob } from "../../api/jobs.ts";
import { dismissToast, toastList } from "../../ui/toasts/toast-list.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { testJob } from "../test-job.ts";
import { canRetry, retryJobOptions } from "./use-retry-job.ts";

vi.mock(import("../../api/jobs.ts"), () => ({ retryJob: vi.fn<typeof retryJob>() }));

const client = new QueryClient();
const failed = testJob({ status: "Failed", error_message: "Gone." });

afterEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
  client.clear();
});

const retry = () => new MutationObserver(client, retryJobOptions(client)).mutate(failed.id);

test("shows the job as queued again", async () => {
  client.setQueryData(jobKeys.job(failed.id), failed);
  const waiting = testJob({ status: "Queued", queue_position: 1, error_message: null });
  vi.mocked(retryJob).mockResolvedValue(waiting);
  await retry();
  expect(client.getQueryData(jobKeys.job(failed.id))).toEqual(waiting);
});

test("shows the server's message for a rejection, and what to do when the call fails", async () => {
  vi.mocked(retryJob).mockRejectedValueOnce(new CallError(409, "Nothing failed in this job."));
  await expect(retry()).rejects.toThrow("Nothing failed");
  vi.mocked(retryJob).mockRejectedValueOnce(new CallError(500, "Broken."));
  await expect(retry()).rejects.toThrow("Broken");
  expect(toastList.read().map(({ description }) => description)).toEqual([
    "Nothing failed in this job.",
    "Couldn't retry the job. Try again.",
  ]);
});

test("is offered for failed jobs and for completed jobs with failed videos", () => {
  expect(canRetry(failed)).toBe(true);
  expect(canRetry(testJob({ status: "Completed", error_message: "1 of 2 videos failed." }))).toBe(true);
  expect(canRetry(testJob({ status: "Completed", error_message: null }))).toBe(false);
  expect(canRetry(testJob({ status: "Cancelled", error_message: "Job cancelled by user" }))).toBe(false);
});
