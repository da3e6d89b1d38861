import { expect, it } from "vitest";
import { createGrowingPause } from "./growing-pause.ts";

it("doubles up to a minute, and starts over after a reset", async () => {
  const pause = createGrowingPause();
  const seconds: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    seconds.push(pause.nextMs() / 1_000);
    await pause.wait(AbortSignal.abort());
  }
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  pause.reset();
  expect(pause.nextMs()).toBe(1_000);
});
