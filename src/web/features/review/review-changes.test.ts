import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { readVideoPositions } from "../../api/jobs.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { createReviewChanges } from "./review-changes.ts";

vi.mock(import("../../api/jobs.ts"), () => ({ readVideoPositions: vi.fn<typeof readVideoPositions>() }));

const queryKey = jobKeys.review("job");
const FILE = { status: "Completed", variant: 0, segment: 0, updated_at: "2026-11-20T21:12:00.000Z" } as JobOutput;
const file = (id: string, differences: Partial<JobOutput> = {}): JobOutput => ({
  ...FILE,
  id,
  video_id: id[0]!,
  media_url: `/${id}`,
  ...differences,
});

let client: QueryClient;
let stored: JobOutput[];
let reads: number;
let changes: ReturnType<typeof createReviewChanges>;
let stopWatching: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(readVideoPositions).mockResolvedValue(new Map([...["a", "b", "c"].entries()].map(([i, id]) => [id, i])));
  client = new QueryClient();
  [stored, reads] = [[file("b1")], 0];
  client.setQueryData(queryKey, stored);
  const queryFn = () => {
    reads += 1;
    return Promise.resolve(stored);
  };
  stopWatching = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
  changes = createReviewChanges(client, "job");
});

afterEach(() => {
  changes.stop();
  stopWatching();
  client.clear();
  vi.useRealTimers();
});

const shown = () => client.getQueryData<JobOutput[]>(queryKey)!.map(({ id }) => id);
async function finish(...outputs: JobOutput[]) {
  stored = [...stored, ...outputs];
  for (const row of outputs) changes.add({ type: "UPDATE", row });
  await vi.advanceTimersByTimeAsync(60_000);
}

test("files that a running job finishes are added in job order after one read", async () => {
  await finish(file("b2", { variant: 1 }));
  expect(reads).toBe(1);
  await finish(file("c1"));
  await finish(file("a2", { variant: 1 }));
  await finish(file("a1"), file("b3", { variant: 0, segment: 1 }));
  expect(shown()).toEqual(["a1", "a2", "b1", "b3", "b2", "c1"]);
  expect(reads).toBe(1);
});

test("a file of an unknown video and a deleted file lead to a read of all files", async () => {
  await finish(file("b2", { variant: 1 }));
  await finish(file("d1"));
  expect(reads).toBe(2);
  changes.add({ type: "DELETE", id: "b1" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(3);
});

test("a file that is being made again is not added", async () => {
  await finish(file("b2", { variant: 1 }));
  changes.add({ type: "UPDATE", row: file("c1") });
  changes.add({ type: "UPDATE", row: file("c1", { status: "Processing" }) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown()).toEqual(["b1", "b2"]);
});
