import { expect, it } from "vitest";
import type { Delivery } from "#contract/destinations/deliveries.ts";
import { describeProgress, listReasons } from "./describe-delivery.ts";

const DELIVERY = { status: "Processing", files: 1_200, delivered: 48, error_message: null, problems: [] };

function delivery(changes: Partial<Delivery>): Delivery {
  return { ...(DELIVERY as unknown as Delivery), ...changes };
}

it("counts delivered files", () => {
  expect(describeProgress(delivery({}))).toBe("48 of 1,200 delivered");
  expect(describeProgress(delivery({ status: "Completed", files: 1 }))).toBe("1 file delivered");
});

it("says why it waits, and why which files failed", () => {
  expect(listReasons(delivery({ status: "Queued", error_message: "The bucket is away." }))).toEqual([
    "The bucket is away. Waiting to try again.",
  ]);
  const problems = [
    { files: 2, name: "a.mp4", error_message: "Damaged." },
    { files: 1, name: "b.mp4", error_message: "Deleted." },
  ];
  const message = "3 of 9 files could not be delivered.";
  expect(listReasons(delivery({ status: "Failed", error_message: message, problems }))).toEqual([
    ...["2 files: Damaged.", "b.mp4: Deleted."],
  ]);
  expect(listReasons(delivery({ status: "Failed", error_message: "The disk is full." }))).toEqual([
    "The disk is full.",
  ]);
});
