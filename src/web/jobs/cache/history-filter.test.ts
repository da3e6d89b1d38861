import { expect, test } from "vitest";
import { readHistoryFilter, toListFilter } from "./history-filter.ts";

const everything = readHistoryFilter({});

test("reads the filter from the address and drops invalid values", () => {
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

test("a search is cut to the server's limit", () => {
  expect(readHistoryFilter({ search: ` ${"x".repeat(300)} ` }).search).toBe("x".repeat(200));
});

test("the request contains only the filters that are set", () => {
  expect(toListFilter({ ...everything, search: "oak", type: "audio" })).toEqual({ search: "oak", type: "audio" });
});
