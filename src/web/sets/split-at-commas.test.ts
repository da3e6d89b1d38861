import { describe, expect, it } from "vitest";
import { splitLinksField, splitPastedCaptions } from "./split-at-commas.ts";

describe("links", () => {
  it("puts each item on a line of its own, trimmed, without empties", () => {
    expect(splitLinksField({ text: "a , b,,\nc", caret: 9 })).toEqual({ text: "a\nb\nc", caret: 5 });
  });

  it("opens the next line for a comma typed at the end", () => {
    expect(splitLinksField({ text: "a,", caret: 2 })).toEqual({ text: "a\n", caret: 2 });
  });

  it("keeps the caret before what followed it", () => {
    expect(splitLinksField({ text: "a,b\nc", caret: 2 })).toEqual({ text: "a\nb\nc", caret: 2 });
  });

  it("leaves text without commas alone", () => {
    expect(splitLinksField({ text: "a\n b\n\n", caret: 1 })).toBeNull();
  });
});

describe("captions", () => {
  it("splits one line pasted into an empty field", () => {
    expect(splitPastedCaptions(" ", "One, two , three\n")).toBe("One\ntwo\nthree");
  });

  it.each([
    ["there are captions already", "First", "Hello, world"],
    ["several lines are pasted", "", "Hello, world\nSecond"],
    ["there is no comma", "", "Hello"],
  ])("keeps the text as it is when %s", (_, field, pasted) => {
    expect(splitPastedCaptions(field, pasted)).toBeNull();
  });
});
