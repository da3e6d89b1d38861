import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../../api/jobs.ts";
import { readHistoryFilter, type HistoryFilter } from "../../../jobs/cache/history-filter.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { jobsOf, toJobPage, type JobPages } from "../../../jobs/cache/job-pages.ts";
import { testJob } from "../../../jobs/test-job.ts";
import { applyToHistories } from "./history-changes.ts";
import { createMatchChecker } from "../match-questions.ts";

vi.mock(import("../../../api/jobs.ts"), () => ({ listJobs: vi.fn<typeof listJobs>() }));

const client = new QueryClient();
const stops: (() => void)[] = [];
const everything = readHistoryFilter({});
const queued = readHistoryFilter({ status: "Queued" });
const harbor = readHistoryFilter({ search: "harbor" });

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  client.clear();
  vi.resetAllMocks();
});

function cache(filter: HistoryFilter, isShown = false): void {
  const jobs = ["b", "a"].map((id) => testJob({ id, status: "Queued" }));
  client.setQueryData<JobPages>(jobKeys.history(filter), {
    pages: [toJobPage({ jobs, total: 2 })],
    pageParams: [1],
  });
  if (!isShown) return;
  const observer = new InfiniteQueryObserver(client, {
    queryKey: jobKeys.history(filter),
    queryFn: () => toJobPage({ jobs, total: 2 }),
    initialPageParam: 1,
    getNextPageParam: () => undefined,
    staleTime: Infinity,
  });
  stops.push(observer.subscribe(() => {}));
}
const jobsIn = (filter: HistoryFilter) => jobsOf(client.getQueryData<JobPages>(jobKeys.history(filter))!);
const ids = (filter: HistoryFilter) => jobsIn(filter).map((job) => job.id);
const isStale = (filter: HistoryFilter) => client.getQueryState(jobKeys.history(filter))?.isInvalidated;
const insert = (row: Job) => applyToHistories(client, { type: "INSERT", row });

test("adds a new job only if it matches the filter", () => {
  cache(queued, true);
  insert(testJob({ id: "c", status: "Queued" }));
  insert(testJob({ id: "d", status: "Failed" }));
  expect(ids(queued)).toEqual(["c", "b", "a"]);
});

// spec 4.2.4
test("keeps a card's lists if its live update lacks them", () => {
  cache(queued, true);
  const { input_videos, custom_captions, custom_audio_links, ...light } = testJob({ id: "b", status: "Queued" });
  applyToHistories(client, { type: "UPDATE", row: light });
  expect(jobsIn(queued)[0]).toEqual({ ...light, input_videos, custom_captions, custom_audio_links });
});

// spec 4.2.4
test("merges a change into its card", () => {
  cache(everything, true);
  const row = testJob({ id: "b", status: "Processing" });
  applyToHistories(client, { type: "UPDATE", row });
  expect(ids(everything)).toEqual(["b", "a"]);
  expect(jobsIn(everything)[0]).toEqual(row);
});

// spec 4.2.4
test("ignores a change that is older than its card", () => {
  cache(everything, true);
  applyToHistories(client, { type: "UPDATE", row: testJob({ id: "b", progress: 40 }) });
  const late = testJob({ id: "b", progress: 20, updated_at: "2026-11-20T21:12:29.000Z" });
  applyToHistories(client, { type: "UPDATE", row: late });
  expect(jobsIn(everything)[0]?.progress).toBe(40);
});

// spec 4.2.5
test("removes the card of a deleted job", () => {
  cache(queued, true);
  applyToHistories(client, { type: "DELETE", id: "b" });
  expect(ids(queued)).toEqual(["a"]);
});

test("changes the lists of other filters too, and refetches them when shown", () => {
  for (const filter of [everything, queued, harbor]) cache(filter, filter === queued);
  applyToHistories(client, { type: "UPDATE", row: testJob({ id: "b", status: "Completed" }) });
  insert(testJob({ id: "c", status: "Queued" }));
  expect(jobsIn(everything).map(({ id, status }) => [id, status])).toEqual([
    ["c", "Queued"],
    ["b", "Completed"],
    ["a", "Queued"],
  ]);
  expect([everything, queued, harbor].map(isStale)).toEqual([true, false, true]);
});

test("adds a new job that the server finds to the search on screen, in its latest state", async () => {
  cache(harbor, true);
  cache(everything);
  const questions = createMatchChecker(client);
  stops.push(() => questions.stop());
  const response = Promise.withResolvers<Awaited<ReturnType<typeof listJobs>>>();
  vi.mocked(listJobs).mockReturnValue(response.promise);
  const [found, other, deleted] = ["found", "other", "deleted"].map((id) =>
    testJob({ id, job_name: "Named otherwise" }),
  );
  for (const row of [found!, other!, deleted!]) {
    insert(row);
    questions.note({ type: "INSERT", row });
  }
  await expect.poll(() => vi.mocked(listJobs).mock.calls).toHaveLength(1);
  expect(listJobs).toHaveBeenCalledWith({
    page: "1",
    limit: "3",
    search: "harbor",
    ids: ["found", "other", "deleted"],
  });
  const later = { ...found!, progress: 100, updated_at: "2099-01-01T00:00:00.000Z" };
  questions.note({ type: "UPDATE", row: later });
  questions.note({ type: "DELETE", id: "deleted" });
  response.resolve({ jobs: [deleted!, found!], total: 2 });
  await expect.poll(() => ids(harbor)).toEqual(["found", "b", "a"]);
  expect(jobsIn(harbor)[0]).toEqual(later);
});

test("refetches a search if the server cannot check new jobs", async () => {
  cache(harbor, true);
  const questions = createMatchChecker(client);
  stops.push(() => questions.stop());
  vi.mocked(listJobs).mockRejectedValue(new Error("down"));
  const readings: boolean[] = [];
  stops.push(
    client.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated") readings.push(query.state.fetchStatus === "fetching");
    }),
  );
  questions.note({ type: "INSERT", row: testJob({ id: "c" }) });
  await expect.poll(() => readings.includes(true)).toBe(true);
});
