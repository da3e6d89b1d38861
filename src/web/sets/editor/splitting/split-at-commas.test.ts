import { describe, expect, it } from "vitest";
import { splitAllCaptions, splitPastedCaptions, splitAtCommas } from "./split-at-commas.ts";

describe("links", () => {
  // spec 5.4
  it("puts each item on its own line, trimmed, without empty ones", () => {
    expect(splitAtCommas({ text: "a , b,,\nc", caret: 9 })).toEqual({ text: "a\nb\nc", caret: 5 });
  });

  it("starts the next line for a comma typed at the end", () => {
    expect(splitAtCommas({ text: "a,", caret: 2 })).toEqual({ text: "a\n", caret: 2 });
  });

  it("keeps the caret before the text that followed it", () => {
    expect(splitAtCommas({ text: "a,b\nc", caret: 2 })).toEqual({ text: "a\nb\nc", caret: 2 });
  });

  it.each([
    ["drive.google.com/file/d/a", "https://drive.google.com/file/d/a"],
    ["  docs.google.com/document/d/a", "  https://docs.google.com/document/d/a"],
    ["www.instagram.com/reel/a", "https://www.instagram.com/reel/a"],
  ])("completes %s", (text, completed) => {
    expect(splitAtCommas({ text, caret: text.length })).toEqual({ text: completed, caret: completed.length });
  });

  it("completes each line and keeps the caret's place in its own line", () => {
    const text = "drive.google.com/a\ndrive.google.com/b\ndrive.google.com/c";
    const completed = splitAtCommas({ text, caret: text.indexOf("/b") })!;
    expect(completed.text).toBe(text.replaceAll("drive", "https://drive"));
    expect(completed.text.slice(completed.caret)).toBe("/b\nhttps://drive.google.com/c");
  });

  it("completes links that commas had kept on one line", () => {
    expect(splitAtCommas({ text: "drive.google.com/a,drive.google.com/b", caret: 37 })?.text).toBe(
      "https://drive.google.com/a\nhttps://drive.google.com/b",
    );
  });

  it("separates pasted links, and keeps the caret's place in the line below", () => {
    const line = "1. https://drive.google.com/a https://drive.google.com/b";
    const text = `${line}\nhttps://drive.google.com/c`;
    const split = splitAtCommas({ text, caret: line.length + "\nhttps://".length })!;
    expect(split.text.split("\n")).toEqual(["a", "b", "c"].map((id) => `https://drive.google.com/${id}`));
    expect(split.text.slice(split.caret)).toBe("drive.google.com/c");
    expect(splitAtCommas({ text: line, caret: line.length })?.caret).toBe(53);
  });

  it.each([
    "1. https://drive.google.com/a",
    "https://drive.google.com/a intro",
    "http://drive.google.com/a",
    "drive.google.com",
    "example.com/drive.google.com/a",
    "drive.google.command/a",
  ])("keeps %s unchanged", (text) => {
    expect(splitAtCommas({ text, caret: 0 })).toBeNull();
  });

  it("keeps text without commas unchanged", () => {
    expect(splitAtCommas({ text: "a\n b\n\n", caret: 1 })).toBeNull();
  });
});

describe("captions", () => {
  it("splits all lines at commas, trimmed, without empty ones", () => {
    expect(splitAllCaptions("One, two\n\n three ,, four,\nFive")).toBe("One\ntwo\nthree\nfour\nFive");
  });

  it("splits one line pasted into an empty field", () => {
    expect(splitPastedCaptions(" ", "One, two , three\n")).toBe("One\ntwo\nthree");
  });

  it.each([
    ["there are captions already", "First", "Hello, world"],
    ["several lines are pasted", "", "Hello, world\nSecond"],
    ["there is no comma", "", "Hello"],
  ])("keeps the text unchanged when %s", (_, field, pasted) => {
    expect(splitPastedCaptions(field, pasted)).toBeNull();
  });
});
