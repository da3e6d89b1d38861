import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { retryNow } from "../../../api/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { dismissToast, toastList } from "../../../ui/toasts/toast-list.ts";
import { retryNowOptions } from "./use-retry-now.ts";

vi.mock(import("../../../api/jobs.ts"), () => ({ retryNow: vi.fn<typeof retryNow>() }));

const client = new QueryClient();
const retry = () => new MutationObserver(client, retryNowOptions(client)).mutate({ jobId: "job", videoId: "video" });

afterEach(() => {
  for (const toast of toastList.read()) dismissToast(toast.id);
  client.clear();
});

test("shows that a video is being retried", async () => {
  vi.mocked(retryNow).mockResolvedValue({ success: true });
  await retry();
  expect(toastList.read()).toMatchObject([{ title: "Retrying", description: "The video is being retried." }]);
});

test("reads the job again, but not its videos and outputs", async () => {
  vi.mocked(retryNow).mockResolvedValue({ success: true });
  const keys = [jobKeys.job("job"), jobKeys.videos("job"), jobKeys.outputs("job")];
  for (const key of keys) client.setQueryData(key, []);
  await retry();
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, false, false]);
});

test("shows the server's message if it rejects, and what to do if the call fails", async () => {
  vi.mocked(retryNow).mockResolvedValueOnce({ success: false, error: "The job is on hold. Release it first." });
  await expect(retry()).rejects.toThrow("on hold");
  vi.mocked(retryNow).mockRejectedValueOnce(new Error("Broken."));
  await expect(retry()).rejects.toThrow("Broken");
  expect(toastList.read().map(({ description }) => description)).toEqual([
    "The job is on hold. Release it first.",
    "Couldn't retry. Try again.",
  ]);
});
