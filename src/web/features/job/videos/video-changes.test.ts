import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { testVideo } from "../test-rows.ts";
import { createVideoChanges } from "./video-changes.ts";

const BATCH_MS = 50;
const videos = Array.from({ length: 10_000 }, (_, position) => testVideo({ id: `video-${position}`, position }));
const newer = "2026-11-20T21:13:00.000Z";

let client: QueryClient;
let reads: number;
let renders: number;
let changes: ReturnType<typeof createVideoChanges>;
let stopWatching: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [client, reads, renders] = [new QueryClient(), 0, 0];
  client.setQueryData(jobKeys.videos("job"), videos);
  const queryFn = () => {
    reads += 1;
    return Promise.resolve(videos);
  };
  const screen = new QueryObserver(client, { queryKey: jobKeys.videos("job"), queryFn, staleTime: Infinity });
  stopWatching = screen.subscribe(() => (renders += 1));
  changes = createVideoChanges(client, "job", BATCH_MS);
});

afterEach(() => {
  changes.stop();
  stopWatching();
  client.clear();
  vi.useRealTimers();
});

const cached = () => client.getQueryData<JobVideo[]>(jobKeys.videos("job"))!;

test("canceling 10,000 videos changes the list once, without reading it again", async () => {
  for (const video of videos) {
    changes.add({ type: "UPDATE", row: { ...video, status: "Cancelled", updated_at: newer } });
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cached().every(({ status }) => status === "Cancelled")).toBe(true);
  expect([renders, reads]).toEqual([1, 0]);
});

test("a change keeps the identity of other videos, and a row older than the cached one changes nothing", async () => {
  changes.add({ type: "UPDATE", row: { ...videos[1]!, status: "Completed", updated_at: newer } });
  changes.add({ type: "UPDATE", row: { ...videos[2]!, status: "Failed", updated_at: "2026-11-20T21:11:00.000Z" } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cached()[0]).toBe(videos[0]);
  expect(cached()[1]!.status).toBe("Completed");
  expect(cached()[2]).toBe(videos[2]);
});

test("replacing 10,000 videos reads the list once", async () => {
  for (const { id } of videos) changes.add({ type: "DELETE", id });
  for (const video of videos) changes.add({ type: "INSERT", row: { ...video, id: `new-${video.position}` } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
});
