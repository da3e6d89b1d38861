import { expect, it } from "vitest";
import { describeKeptFiles } from "./kept-files.ts";

const now = Date.parse("2026-11-21T12:00:00.000Z");
const words = (kept: string | null, deleted: string | null = null) =>
  describeKeptFiles({ files_kept_until: kept, files_deleted_at: deleted }, now);

it.each([
  [null, null],
  ["2026-11-24T12:00:01.000Z", null],
  ["2026-11-24T12:00:00.000Z", "Files will be deleted in 3 days"],
  ["2026-11-23T11:00:00.000Z", "Files will be deleted in 2 days"],
  ["2026-11-22T13:00:00.000Z", "Files will be deleted in 1 day"],
  ["2026-11-22T11:59:00.000Z", "Files will be deleted in 23 hours"],
  ["2026-11-21T13:30:00.000Z", "Files will be deleted in 1 hour"],
  ["2026-11-21T12:30:00.000Z", "Files will be deleted within the hour"],
  ["2026-11-21T10:00:00.000Z", "Files will be deleted within the hour"],
])("says of files kept until %s: %s", (until, expected) => expect(words(until)).toBe(expected));

it("says that files were deleted", () => expect(words(null, "2026-11-20T00:00:00.000Z")).toBe("Files deleted"));
