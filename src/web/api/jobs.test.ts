import { expect, test, vi } from "vitest";
import { callFunction } from "./functions/call-function.ts";
import { deleteJobs } from "./jobs.ts";
import type { openTables, requireRows } from "./tables.ts";

vi.mock(import("./functions/call-function.ts"), () => ({
  callFunction: vi.fn<() => unknown>() as typeof callFunction,
}));
vi.mock(import("./tables.ts"), () => ({
  openTables: vi.fn<typeof openTables>(),
  requireRows: vi.fn<typeof requireRows>(),
}));

test("deletes more jobs than one call takes", async () => {
  const sizes: number[] = [];
  vi.mocked(callFunction).mockImplementation(async (_name, body) => {
    const [first, ...rest] = body!.jobIds as string[];
    sizes.push(rest.length + 1);
    return { deleted: rest, refused: [{ id: first, error: "No." }] };
  });
  const ids = Array.from({ length: 2_001 }, (_, index) => String(index));
  const { deleted, refused } = await deleteJobs(ids);
  expect(sizes).toEqual([1_000, 1_000, 1]);
  expect(deleted).toHaveLength(1_998);
  expect(refused.map(({ id }) => id)).toEqual(["0", "1000", "2000"]);
});
