import { expect, it } from "vitest";
import { describeAct, describeSubject } from "./describe-act.ts";

it.each([
  ["job.bump", "Moved a job to the front"],
  ["caption_sets.add", "Added a caption set"],
  ["routes.delete", "Deleted a route"],
  ["POST /functions/v1/something-new", "POST /functions/v1/something-new"],
  ["domains.fold", "domains.fold"],
  ["constructor.add", "constructor.add"],
])("says %s as %j", (action, words) => expect(describeAct({ action })).toBe(words));

it.each([
  ["job.hold", "id-1", { kind: "job", id: "id-1" }],
  ["job.delete", "id-1", { kind: "id", id: "id-1" }],
  ["settings.save", "output_retention_days", { kind: "words", text: "Days that files are kept" }],
  ["settings.save", "something_new", { kind: "id", id: "something_new" }],
  ["cloak.publish", "7", { kind: "words", text: "Version 7 again" }],
  ["account.sign-in", null, { kind: "none" }],
])("says of %s what it was done to", (action, subject, expected) => {
  expect(describeSubject({ action, subject })).toEqual(expected);
});
