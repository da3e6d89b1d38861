import { expect, test } from "vitest";
import { readHistoryFilter } from "../../jobs/history-filter.ts";
import { jobsOf, toJobPage, type JobPages } from "../../jobs/job-pages.ts";
import { testJob } from "../../jobs/test-job.ts";
import { applyToHistory } from "./history-changes.ts";

const data: JobPages = {
  pages: [
    toJobPage({ jobs: [testJob({ id: "b", status: "Queued" }), testJob({ id: "a", status: "Queued" })], total: 2 }),
  ],
  pageParams: [1],
};
const queued = readHistoryFilter({ status: "Queued" });
const ids = (pages: JobPages) => jobsOf(pages).map((job) => job.id);

test("takes in a new job only when it matches the filter", () => {
  const insert = (status: "Queued" | "Failed") =>
    applyToHistory(data, { type: "INSERT", row: testJob({ id: "c", status }) }, queued);
  expect(ids(insert("Queued"))).toEqual(["c", "b", "a"]);
  expect(insert("Failed")).toBe(data);
});

test("merges a change into its card, which stays though it no longer matches", () => {
  const row = testJob({ id: "b", status: "Processing" });
  const changed = applyToHistory(data, { type: "UPDATE", row }, queued);
  expect(ids(changed)).toEqual(["b", "a"]);
  expect(jobsOf(changed)[0]).toBe(row);
});

test("removes the card of a deleted job", () => {
  expect(ids(applyToHistory(data, { type: "DELETE", id: "b" }, queued))).toEqual(["a"]);
});
