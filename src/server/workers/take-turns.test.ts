import { expect, it } from "vitest";
import { createPlaces, createTurns } from "./take-turns.ts";

it("runs calls with the same key in turn, also after a failure, and others at the same time", async () => {
  const inTurn = createTurns();
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const run = (key: string, number: number) =>
    inTurn(key, async () => {
      started.push(number);
      await gates[number]!.promise;
      return number;
    });
  const calls = [run("a", 0), run("a", 1), run("a", 2), run("b", 3)];
  await expect.poll(() => started).toEqual([0, 3]);
  gates[0]!.reject(new Error("Failed."));
  await expect(calls[0]).rejects.toThrow("Failed.");
  await expect.poll(() => started).toEqual([0, 3, 1]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(calls.slice(1))).toEqual([1, 2, 3]);
});

it("limits the places of each key", () => {
  const take = createPlaces(2);
  const taken = [take("a"), take("a")];
  expect([take("a"), take("b")]).toEqual([null, expect.anything()]);
  taken[0]![Symbol.dispose]();
  expect([take("a"), take("a")]).toEqual([expect.anything(), null]);
});
