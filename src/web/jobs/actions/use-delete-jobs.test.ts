import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { deleteJobs } from "../../api/jobs.ts";
import { dismissToast, toastList } from "../../ui/toasts/toast-list.ts";
import { readHistoryFilter } from "../cache/history-filter.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { jobsOf, toJobPage, type JobPages } from "../cache/job-pages.ts";
import { testJob } from "../test-job.ts";
import { deleteJobsOptions } from "./use-delete-jobs.ts";

vi.mock(import("../../api/jobs.ts"), () => ({ deleteJobs: vi.fn<typeof deleteJobs>() }));

const client = new QueryClient();
const key = jobKeys.history(readHistoryFilter({}));

afterEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
  client.clear();
});

function deleteBoth() {
  const jobs = ["b", "a"].map((id) => testJob({ id, status: "Completed" }));
  client.setQueryData<JobPages>(key, { pages: [toJobPage({ jobs, total: 2 })], pageParams: [1] });
  return new MutationObserver(client, deleteJobsOptions(client)).mutate(["a", "b"]);
}
const left = () => jobsOf(client.getQueryData<JobPages>(key)!).map(({ id }) => id);

test("removes the deleted jobs and shows why the others were rejected", async () => {
  const error = "The job is still running. Cancel it first.";
  vi.mocked(deleteJobs).mockResolvedValue({ deleted: ["a"], refused: [{ id: "b", error }] });
  await deleteBoth();
  expect(left()).toEqual(["b"]);
  expect(toastList.read()).toMatchObject([
    { title: "Job deleted" },
    { title: "Error", description: error, variant: "destructive" },
  ]);
});

test("keeps all jobs when the call fails", async () => {
  vi.mocked(deleteJobs).mockRejectedValue(new Error("down"));
  await expect(deleteBoth()).rejects.toThrow("down");
  expect(left()).toEqual(["b", "a"]);
  expect(toastList.read()).toMatchObject([
    { title: "Error", description: "Couldn't delete. Try again.", variant: "destructive" },
  ]);
});
