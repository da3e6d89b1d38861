import { afterEach, expect, test, vi } from "vitest";
import type { Change } from "#database/changes.ts";
import { collectChanges } from "./collect-changes.ts";

afterEach(() => vi.restoreAllMocks());

test("hands jobs over in the order of their notices, also when the process is preempted between them", async () => {
  const told: string[] = [];
  const changes = collectChanges((rows) => told.push(...rows.map(({ change }) => change.job_id)));
  // Each reading of the clock advances it by 3 ms.
  let nowMs = 1_000;
  vi.spyOn(performance, "now").mockImplementationOnce(() => nowMs);
  changes.note(update("first"));
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 3));
  changes.note(update("second"));
  vi.restoreAllMocks();
  await expect.poll(() => told).toEqual(["first", "second"]);
  changes.stop();
});

function update(jobId: string): Change {
  return { op: "UPDATE", table: "jobs", id: jobId, job_id: jobId, isProgress: false };
}
