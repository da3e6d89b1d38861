import { expect, it } from "vitest";
import type { VideoCaption } from "#contract/captions.ts";
import { captionsOf, describeBatch, mergeRows, slatsOf } from "./describe-batch.ts";

const row = (part: Partial<VideoCaption>): VideoCaption => ({
  link: "a",
  name: null,
  status: "Queued",
  stage: null,
  caption: null,
  error: null,
  ...part,
});
const DONE = row({ link: "1", status: "Completed", caption: "Tea" });
const FAILED = row({ link: "2", status: "Failed", error: "Gone" });
const RUNNING = row({ link: "3", status: "Processing", stage: "Writing" });
const WAITING = row({ link: "4" });

it("describes a batch's progress and result", () => {
  expect(describeBatch([])).toBe("");
  expect(describeBatch([DONE, FAILED, RUNNING, WAITING])).toBe("Analyzing video 3/4...");
  expect(describeBatch([DONE, FAILED])).toBe("1 caption for 2 videos");
  expect(slatsOf([DONE, FAILED, RUNNING, WAITING])).toEqual(["done", "failed", { running: 0.8 }, "todo"]);
});

it("keeps edited captions while the others are still being written", () => {
  const edited = { ...DONE, caption: "Green tea" };
  const reported = [DONE, FAILED, { ...RUNNING, status: "Completed" as const, caption: "Sip" }];
  expect(mergeRows([edited, WAITING, RUNNING], reported)).toEqual([edited, reported[1], reported[2]]);
  expect(mergeRows([edited], undefined)).toEqual([edited]);
});

it("copies the existing captions in the order of the videos", () => {
  expect(captionsOf([DONE, FAILED, row({ status: "Completed", caption: " Sip\n by sip " })])).toEqual([
    "Tea",
    "Sip by sip",
  ]);
});
