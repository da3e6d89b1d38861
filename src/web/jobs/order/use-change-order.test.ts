import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { bumpJob, holdJob, releaseJob } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { testJob } from "../test-job.ts";
import { changeOrderOptions } from "./use-change-order.ts";

vi.mock(import("../../api/jobs.ts"), () => ({
  bumpJob: vi.fn<typeof bumpJob>(),
  holdJob: vi.fn<typeof holdJob>(),
  releaseJob: vi.fn<typeof releaseJob>(),
}));
vi.mock(import("../../ui/toasts/toast-list.ts"), () => ({ showToast: vi.fn<typeof showToast>() }));

const waiting = testJob({ status: "Queued", queue_position: 3, waiting_videos: 2 });
let client: QueryClient;

beforeEach(() => {
  vi.resetAllMocks();
  client = new QueryClient();
  client.setQueryData<Job>(jobKeys.job(waiting.id), waiting);
});

it.each([
  ["bump", bumpJob, "Moved to the front"],
  ["hold", holdJob, "Job on hold"],
  ["release", releaseJob, "Job released"],
] as const)("shows the job as it is after a %s", async (change, call, title) => {
  const changed = { ...waiting, queue_position: 1 };
  vi.mocked(call).mockResolvedValue(changed);
  await new MutationObserver(client, changeOrderOptions(client)).mutate({ jobId: waiting.id, change });
  expect(client.getQueryData(jobKeys.job(waiting.id))).toEqual(changed);
  expect(showToast).toHaveBeenCalledWith(expect.objectContaining({ title, variant: "success" }));
});

it.each([
  [new CallError(409, "The job has already finished."), "The job has already finished."],
  [new CallError(0, "unreachable"), "Couldn't put the job on hold. Try again."],
  [new CallError(500, "Internal"), "Couldn't put the job on hold. Try again."],
])("keeps the job unchanged and shows why the call failed", async (failure, description) => {
  vi.mocked(holdJob).mockRejectedValue(failure);
  const request = { jobId: waiting.id, change: "hold" as const };
  await new MutationObserver(client, changeOrderOptions(client)).mutate(request).catch(() => {});
  expect(client.getQueryData(jobKeys.job(waiting.id))).toEqual(waiting);
  expect(showToast).toHaveBeenCalledWith({ title: "Error", description, variant: "destructive" });
});
