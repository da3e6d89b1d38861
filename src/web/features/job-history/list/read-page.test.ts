import { beforeEach, expect, test, vi } from "vitest";
import { listJobs } from "../../../api/jobs.ts";
import { readHistoryFilter } from "../../../jobs/cache/history-filter.ts";
import { testJob } from "../../../jobs/test-job.ts";
import { readPage } from "./read-page.ts";

vi.mock(import("../../../api/jobs.ts"), () => ({ listJobs: vi.fn<typeof listJobs>() }));

const everything = readHistoryFilter({});
const ids = (jobs: { id: string }[]) => jobs.map(({ id }) => id);
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => String(from + i));

beforeEach(() => {
  vi.mocked(listJobs).mockReset();
  vi.mocked(listJobs).mockImplementation(({ page, limit }) =>
    Promise.resolve({
      jobs: numbered((Number(page) - 1) * Number(limit), Number(limit)).map((id) => testJob({ id })),
      total: 500,
    }),
  );
});

// spec 9.19
test("a new page is loaded alone, with ten jobs", async () => {
  const { signal } = new AbortController();
  const { jobs } = await readPage(4, everything, { loadedPages: 3, signal });
  expect(ids(jobs)).toEqual(numbered(30, 10));
  expect(listJobs).toHaveBeenCalledExactlyOnceWith({ page: "4", limit: "10" }, signal);
});

test("a refetch loads ten pages per call", async () => {
  const { signal } = new AbortController();
  const pages = [];
  for (let page = 1; page <= 12; page += 1) {
    pages.push(await readPage(page, everything, { loadedPages: 12, signal }));
  }
  expect(pages.flatMap(({ jobs }) => ids(jobs))).toEqual(numbered(0, 120));
  expect(vi.mocked(listJobs).mock.calls.map(([request]) => request)).toEqual([
    { page: "1", limit: "100" },
    { page: "2", limit: "100" },
  ]);
});

test("the next refetch calls the server again", async () => {
  await readPage(1, everything, { loadedPages: 2, signal: new AbortController().signal });
  await readPage(1, everything, { loadedPages: 2, signal: new AbortController().signal });
  expect(listJobs).toHaveBeenCalledTimes(2);
});
