import { describe, expect, it } from "vitest";
import { findChosenSet, textOfItems, saveProblem } from "./set-texts.ts";

const set = { id: "a", name: "A", items: ["One", "Two\r\nlines"], created_at: "" };

it("puts each item on a line, with a text area's line breaks", () => {
  expect(textOfItems(set.items)).toBe("One\nTwo\nlines");
});

describe("the chosen set", () => {
  it("is the set whose text is still in the field", () => {
    expect(findChosenSet([set], "a", "One\nTwo\nlines")).toBe(set);
    expect(findChosenSet([set], "a", "One")).toBeNull();
  });

  it("is null if it was deleted or none was chosen", () => {
    expect(findChosenSet([], "a", "One\nTwo\nlines")).toBeNull();
    expect(findChosenSet([set], "", "One\nTwo\nlines")).toBeNull();
  });
});

describe("why a set cannot be saved", () => {
  // spec 5.13
  it.each([
    ["caption", "", ["One"], "Please provide both a set name and captions"],
    ["caption", "A", [], "Please provide both a set name and captions"],
    ["audio", " ", ["One"], "Please provide both a set name and audio links"],
    ["audio", "A", [], "Please provide both a set name and audio links"],
    ["audio", "A", Array<string>(1_001).fill("x"), "An audio set can have at most 1,000 audio links"],
    ["caption", "A", Array<string>(10_001).fill("x"), "A caption set can have at most 10,000 captions"],
    ["caption", "A", ["x", "x".repeat(2_001)], "Line 2 is longer than 2,000 characters"],
    ["caption", "A", ["x"], null],
  ] as const)("%s set %j", (kind, name, items, reason) => {
    expect(saveProblem(kind, name, items)).toBe(reason);
  });
});
