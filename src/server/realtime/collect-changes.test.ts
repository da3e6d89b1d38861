import { afterEach, expect, test, vi } from "vitest";
import type { Change } from "#database/changes.ts";
import { collectChanges } from "./change-feed.ts";

afterEach(() => vi.restoreAllMocks());

test("passes jobs on in the order of their notifications, even if the process is preempted in between", async () => {
  const sent: string[] = [];
  const changes = collectChanges((rows) => sent.push(...rows.map(({ change }) => change.job_id)));
  // The clock advances 3 ms with each reading.
  let nowMs = 1_000;
  vi.spyOn(performance, "now").mockImplementationOnce(() => nowMs);
  changes.note(update("first"));
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 3));
  changes.note(update("second"));
  vi.restoreAllMocks();
  await expect.poll(() => sent).toEqual(["first", "second"]);
  changes.stop();
});

function update(jobId: string): Change {
  return { op: "UPDATE", table: "jobs", id: jobId, job_id: jobId, isProgress: false };
}
