import { expect, it } from "vitest";
import { connectionForBucket, explainNoConnection } from "./choose-connection.ts";

const archive = { name: "Archive", buckets: ["archive", "old"] };
const any = { name: "Any", buckets: [] };
const other = { name: "Other", buckets: [] };

it("chooses the connection that lists the bucket, or else the only one without a list", () => {
  expect(connectionForBucket("old", [any, archive])).toBe(archive);
  expect(connectionForBucket("new", [archive, any])).toBe(any);
  expect(connectionForBucket("new", [archive])).toBeNull();
  expect(connectionForBucket("new", [any, other])).toBeNull();
  expect(connectionForBucket("new", [])).toBeNull();
});

it("says what to do for a bucket without a connection", () => {
  expect(explainNoConnection("new", [])).toBe('Add an S3 connection in Settings to read the bucket "new".');
  expect(explainNoConnection("new", [archive])).toContain("Add the bucket to a connection");
  expect(explainNoConnection("new", [any, other])).toContain("More than one S3 connection could read");
});
