import { expect, test } from "vitest";
import { testVideo } from "../test-rows.ts";
import { countFinished, countStates, groupReasons, readShownState } from "./video-groups.ts";

const AWAY = "Google Drive is not available.";
const NOT_SHARED = "This Google Drive file is not shared.";
const waiting = (next_try_at: string) =>
  testVideo({
    status: "Queued",
    error_message: AWAY,
    waits_for: "google-drive",
    waiting_since: "2026-11-20T21:12:00.000Z",
    next_try_at,
  });
const failed = (error_message: string) => testVideo({ status: "Failed", error_message });
const videos = [
  waiting("2026-11-20T21:20:00.000Z"),
  failed(NOT_SHARED),
  failed("Gone."),
  waiting("2026-11-20T21:19:00.000Z"),
  failed(NOT_SHARED),
  failed(NOT_SHARED),
  testVideo({ status: "Completed" }),
  testVideo({ status: "Queued", error_message: "The network is down." }),
];

test("groups videos by reason, with the time of the first retry", () => {
  expect(groupReasons(videos)).toEqual([
    { kind: "waiting", reason: AWAY, count: 2, nextTryAt: "2026-11-20T21:19:00.000Z" },
    { kind: "failed", reason: NOT_SHARED, count: 3, nextTryAt: null },
  ]);
});

test("counts statuses and finished videos, which cancelled ones are not", () => {
  expect(countStates(videos)).toEqual([
    { state: "Queued", count: 3 },
    { state: "Completed", count: 1 },
    { state: "Failed", count: 4 },
  ]);
  expect(countFinished([...videos, testVideo({ status: "Cancelled" })])).toBe(5);
});

test("reads the status from the URL, or null", () => {
  expect([{ state: "failed" }, { state: "Fast" }, {}].map(readShownState)).toEqual(["Failed", null, null]);
});
