import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { shareOfWorker } from "./look-ahead.ts";

const waiting = Array.from({ length: 40 }, (_, i) => ({ videoId: randomUUID(), jobId: "job", startTag: i }));

it("gives each waiting video to one worker, whatever is claimed before it", () => {
  const workers = ["a", "b", "c"];
  const shares = workers.map((workerId) => shareOfWorker(waiting, { workers, workerId }));
  expect(shares.flat().toSorted((a, b) => a.startTag - b.startTag)).toEqual(waiting);
  const later = workers.map((workerId) => shareOfWorker(waiting.slice(7), { workers, workerId }));
  expect(later).toEqual(shares.map((share) => share.filter(({ startTag }) => startTag >= 7)));
});

it("gives a single worker all videos, a paused one none, and nobody any in a large fleet", () => {
  expect(shareOfWorker(waiting, { workers: ["a"], workerId: "a" })).toEqual(waiting);
  expect(shareOfWorker(waiting, { workers: ["a"], workerId: "paused" })).toEqual([]);
  const workers = ["a", "b", "c", "d", "e"];
  expect(shareOfWorker(waiting, { workers, workerId: "a" })).toEqual([]);
});
