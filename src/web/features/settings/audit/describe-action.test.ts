import { expect, it } from "vitest";
import { describeAction, describeSubject } from "./describe-action.ts";

const ID = "7f3a91c2-0000-4000-8000-000000000000";

it.each([
  ["job.bump", "Moved a job to the front"],
  ["caption_sets.add", "Added a caption set"],
  ["routes.delete", "Deleted a route"],
  ["POST /functions/v1/something-new", "POST /functions/v1/something-new"],
  ["domains.fold", "domains.fold"],
  ["constructor.add", "constructor.add"],
])("describes %s as %j", (action, words) => expect(describeAction({ action })).toBe(words));

it.each([
  ["job.hold", ID, { kind: "job", id: ID, name: null }],
  ["job.delete", ID, { kind: "id", id: ID }],
  ["routes.add", ID, { kind: "id", id: ID }],
  ["worker.pause", "render-2", { kind: "words", text: "render-2" }],
  ["settings.save", "output_retention_days", { kind: "words", text: "Days to keep files" }],
  ["settings.save", "something_new", { kind: "words", text: "something_new" }],
  ["cloak.publish", "7", { kind: "words", text: "Version 7 again" }],
  ["account.sign-in", null, { kind: "none" }],
])("finds the subject of %s", (action, subject, expected) => {
  expect(describeSubject({ action, subject, subject_name: null })).toEqual(expected);
});

it.each([
  ["job.hold", "Monday", { kind: "job", id: ID, name: "Monday" }],
  ["job.delete", "Monday", { kind: "words", text: "Monday" }],
  ["caption_sets.change", "xn--bcher-kva", { kind: "words", text: "xn--bcher-kva" }],
  ["library.delete", "clip.mp4", { kind: "words", text: "clip.mp4" }],
  ["domains.delete", "xn--bcher-kva.example", { kind: "words", text: "bücher.example" }],
  ["routes.add", "xn--bcher-kva.example/", { kind: "words", text: "bücher.example/" }],
  ["routes.add", "bücher.xn--p1ai/xn--p1ai.a", { kind: "words", text: "bücher.рф/xn--p1ai.a" }],
])("names the subject of %s by its stored name, %j", (action, subject_name, expected) => {
  expect(describeSubject({ action, subject: ID, subject_name })).toEqual(expected);
});
