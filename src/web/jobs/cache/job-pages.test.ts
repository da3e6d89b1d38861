import { expect, test } from "vitest";
import { addJob, changeJob, jobsOf, nextPageOf, removeJob, toJobPage, type JobPages } from "./job-pages.ts";
import { testJob } from "../test-job.ts";

function pagesOf(total: number, ...pages: string[][]): JobPages {
  return {
    pages: pages.map((ids) => toJobPage({ jobs: ids.map((id) => testJob({ id })), total })),
    pageParams: pages.map((_, index) => index + 1),
  };
}
const next = (data: JobPages) => nextPageOf(data.pages, data.pages.length);
const ids = (data: JobPages) => jobsOf(data).map((job) => job.id);
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => String(from + index));

// spec 4.2.3
test("adds a new job to the top and counts it once", () => {
  const added = addJob(pagesOf(3, ["c", "b", "a"]), testJob({ id: "d" }));
  expect(ids(added)).toEqual(["d", "c", "b", "a"]);
  expect(added.pages[0]?.total).toBe(4);
  const again = addJob(added, testJob({ id: "d", job_name: "Newer" }));
  expect(ids(again)).toEqual(["d", "c", "b", "a"]);
  expect(jobsOf(again)[0]?.job_name).toBe("Newer");
  expect(again.pages[0]?.total).toBe(4);
});

test("updates one card and keeps the identity of the others, so that they do not re-render", () => {
  const data = pagesOf(4, ["d", "c"], ["b", "a"]);
  const changed = changeJob(data, "b", (job) => ({ ...job, progress: 50 }));
  expect(jobsOf(changed)[2]?.progress).toBe(50);
  expect(changed.pages[0]).toBe(data.pages[0]);
  expect(changed.pages[1]?.jobs[1]).toBe(data.pages[1]?.jobs[1]);
  expect(changeJob(data, "unknown", (job) => job)).toBe(data);
});

test("removes a deleted job and reduces the count", () => {
  const left = removeJob(pagesOf(3, ["c", "b", "a"]), "b");
  expect(ids(left)).toEqual(["c", "a"]);
  expect(left.pages[0]?.total).toBe(2);
});

test("lists a job once when pages overlap", () => {
  expect(ids(pagesOf(3, ["c", "b"], ["b", "a"]))).toEqual(["c", "b", "a"]);
});

// spec 9.19
test("has a next page while the last one was full and jobs remain", () => {
  expect(next(pagesOf(25, numbered(10)))).toBe(2);
  expect(next(pagesOf(25, numbered(10), numbered(10, 10), numbered(5, 20)))).toBeUndefined();
  expect(next(pagesOf(20, numbered(10), numbered(10, 10)))).toBeUndefined();
  expect(next(pagesOf(0, []))).toBeUndefined();
});

test("reads the last page again after a deletion moved the next job into it", () => {
  const left = removeJob(pagesOf(25, numbered(10), numbered(10, 10)), "4");
  expect(nextPageOf(left.pages, 2)).toBe(2);
});
