import { once } from "node:events";
import { expect, it } from "vitest";
import { takeTurns } from "./take-turns.ts";

function work(): void {
  const untilMs = performance.now() + 2;
  while (performance.now() < untilMs);
}

it("handles one client's request before another's earlier backlog, and each client's in order", async () => {
  const take = takeTurns();
  const handled: string[] = [];
  const events = new EventTarget();
  for (let number = 1; number <= 100; number += 1) {
    take("many", () => {
      work();
      handled.push(`many ${number}`);
      if (number === 100) events.dispatchEvent(new Event("done"));
    });
  }
  take("one", () => handled.push("one"));
  await once(events, "done");
  expect(handled.indexOf("one")).toBeLessThan(20);
  expect(handled.filter((name) => name !== "one")).toEqual(Array.from({ length: 100 }, (_, i) => `many ${i + 1}`));
});

it("handles requests immediately while there are few", () => {
  const take = takeTurns();
  const handled: number[] = [];
  for (const number of [1, 2, 3]) take("a client", () => handled.push(number));
  expect(handled).toEqual([1, 2, 3]);
});
