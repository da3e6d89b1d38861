import { expect, test } from "vitest";
import { explainNames, readNames, writeNames } from "./names-form.ts";

test("names are read from lines, and an arrow without a name is explained", () => {
  const names = readNames(" clip mill -> Clipmill\n\nMcKinley \n-> Ada");
  expect(names).toEqual([{ from: "clip mill", to: "Clipmill" }, { to: "McKinley" }, { to: "Ada" }]);
  expect(writeNames(names)).toBe("clip mill -> Clipmill\nMcKinley\nAda");
  expect(explainNames("McKinley")).toBe(true);
  expect(explainNames("a -> ")).toBe('Enter how "a" is written, after ->.');
});
