import { expect, it } from "vitest";
import { createPauseReasons } from "./pause-reasons.ts";

it("pauses with the first reason and resumes after the last one", () => {
  const reasons = createPauseReasons();
  const reported: boolean[] = [];
  reasons.onChange((isPaused) => reported.push(isPaused));
  reasons.set("disk-full", true);
  reasons.set("queue-paused", true);
  reasons.set("queue-paused", true);
  reasons.set("disk-full", false);
  expect([reasons.isPaused(), reasons.list()]).toEqual([true, ["queue-paused"]]);
  reasons.set("lease-lost", false);
  reasons.set("queue-paused", false);
  expect([reasons.isPaused(), reasons.list()]).toEqual([false, []]);
  expect(reported).toEqual([false, true, false]);
});
