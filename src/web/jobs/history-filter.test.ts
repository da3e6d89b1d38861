import { expect, test } from "vitest";
import { matchesFilter, readHistoryFilter } from "./history-filter.ts";
import { testJob } from "./test-job.ts";

const everything = readHistoryFilter({});

test("reads the filter of an address and leaves out what makes no sense", () => {
  expect(readHistoryFilter({ search: " reel ", status: "Failed", type: "audio" })).toEqual({
    search: "reel",
    status: "Failed",
    type: "audio",
  });
  expect(readHistoryFilter({ search: 2026, status: "Paused", type: ["audio"] })).toEqual({
    search: "2026",
    status: null,
    type: null,
  });
});

test("matches by status, type, and a part of name or id in any case", () => {
  const job = testJob({ status: "Queued", captions_enabled: true, audio_enabled: false });
  expect(matchesFilter(job, everything)).toBe(true);
  expect(matchesFilter(job, { ...everything, status: "Queued", type: "captions", search: "HARBOR" })).toBe(true);
  expect(matchesFilter(job, { ...everything, search: "7f3a91" })).toBe(true);
  expect(matchesFilter(job, { ...everything, search: "oak" })).toBe(false);
  expect(matchesFilter(job, { ...everything, status: "Failed" })).toBe(false);
  expect(matchesFilter(job, { ...everything, type: "audio" })).toBe(false);
});
