import { expect, it } from "vitest";
import { describeClaiming } from "./describe-claiming.ts";

const TAKING = { isPaused: false, pausedAt: null, pausedBy: null, workers: 2, takingWorkers: 1 };

it("is null while a worker takes videos", () => {
  expect(describeClaiming(TAKING)).toBeNull();
});

it("says who paused the queue, and when", () => {
  const paused = { ...TAKING, isPaused: true, pausedAt: "2026-11-20T21:12:00", pausedBy: "anna@studio.test" };
  expect(describeClaiming(paused, new Date("2026-11-21T08:00:00"))).toEqual({
    title: "The queue is paused.",
    text: "anna@studio.test paused it on Nov 20, 21:12. Videos in progress will finish; no new ones will start.",
  });
});

it("distinguishes stopped workers from workers that take no videos", () => {
  expect(describeClaiming({ ...TAKING, workers: 0, takingWorkers: 0 })?.title).toBe("No worker is running.");
  expect(describeClaiming({ ...TAKING, workers: 1, takingWorkers: 0 })?.title).toBe(
    "The worker isn't taking new videos.",
  );
  expect(describeClaiming({ ...TAKING, takingWorkers: 0 })?.title).toBe("No worker is taking new videos.");
});
