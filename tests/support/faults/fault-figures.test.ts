import { expect, it } from "vitest";
import { summarize, formatFigure } from "./fault-figures.ts";

it("summarizes numbers by median and maximum, and booleans by how often they were true", () => {
  const rounds = [{ seconds: 2, "in time": true }, { seconds: 120.4, "in time": false }, { seconds: 3 }];
  const figures = summarize(rounds);
  expect(figures).toEqual({ seconds: { median: 3, most: 120.4 }, "in time": { times: 1, of: 2 } });
  expect(Object.entries(figures).map(([name, figure]) => formatFigure(name, figure))).toEqual([
    "seconds: 3.00, at most 120",
    "in time: 1 of 2",
  ]);
});
