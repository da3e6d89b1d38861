import { expect, it } from "vitest";
import { addLinks } from "./add-links.ts";

it("fills an empty field", () => {
  expect(addLinks("\n ", ["a", "b"])).toBe("a\nb");
});

it("keeps typed text and adds no link twice", () => {
  expect(addLinks("x\na\n", ["a", "b"])).toBe("x\na\nb");
});
