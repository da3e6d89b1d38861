import { expect, test } from "vitest";
import { matchesStatusAndType, readHistoryFilter, toListFilter } from "./history-filter.ts";
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

test("matches by status and type; a search is for the server", () => {
  const job = testJob({ status: "Queued", captions_enabled: true, audio_enabled: false });
  expect(matchesStatusAndType(job, everything)).toBe(true);
  expect(matchesStatusAndType(job, { status: "Queued", type: "captions" })).toBe(true);
  expect(matchesStatusAndType(job, { status: "Failed", type: null })).toBe(false);
  expect(matchesStatusAndType(job, { status: null, type: "audio" })).toBe(false);
  expect(toListFilter({ ...everything, search: "oak", type: "audio" })).toEqual({ search: "oak", type: "audio" });
});
