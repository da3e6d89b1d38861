import { expect, test } from "vitest";
import { keepNewer } from "./newer-row.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

test("keeps a row that became newer while the answer was on its way, and takes every other", () => {
  const answer = [
    { id: "a", updated_at: at(10), status: "Processing" },
    { id: "b", updated_at: at(10), status: "Queued #1" },
    { id: "c", updated_at: at(10), status: "Completed" },
  ];
  const known = [
    { id: "a", updated_at: at(11), status: "Completed" },
    { id: "b", updated_at: at(10), status: "Queued #2" },
    { id: "gone", updated_at: at(99), status: "Failed" },
  ];
  expect(keepNewer(answer, known).map((row) => row.status)).toEqual(["Completed", "Queued #1", "Completed"]);
});
