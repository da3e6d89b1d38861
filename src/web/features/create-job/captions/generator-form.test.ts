import { describe, expect, it } from "vitest";
import { addCaptions, EMPTY_GENERATOR, readCount, toGenerateRequest, missingGeneratorInput } from "./generator-form.ts";

// spec 5.8
it.each([
  ["", 1],
  ["  ", 1],
  ["abc", 1],
  ["4x", 1],
  ["Infinity", 1],
  ["0", 1],
  ["0.9", 1],
  ["-4", 1],
  ["3.7", 3],
  [" 12 ", 12],
  ["101", 100],
  ["100", 100],
  ["7", 7],
])("reads a count of %j as %i", (text, count) => {
  expect(readCount(text)).toBe(count);
});

describe("missing input", () => {
  // spec 5.9
  it("is the caption set in reference mode", () => {
    expect(missingGeneratorInput(EMPTY_GENERATOR)?.title).toBe("Caption Set Required");
    expect(missingGeneratorInput({ ...EMPTY_GENERATOR, setId: "a" })).toBeNull();
  });

  // spec 5.11
  it("is the prompt in custom mode", () => {
    const custom = { ...EMPTY_GENERATOR, mode: "custom" as const, setId: "a" };
    expect(missingGeneratorInput({ ...custom, prompt: "  " })?.title).toBe("Prompt Required");
    expect(missingGeneratorInput({ ...custom, prompt: "coffee" })).toBeNull();
  });
});

// spec 3.5, 7.9, 9.14
it("requests five captions different from those in the field", () => {
  const set = { id: "a", name: "A", items: ["One", "Two"], created_at: "" };
  const form = { ...EMPTY_GENERATOR, setId: "a", prompt: "left from before", notes: " short " };
  expect(toGenerateRequest(form, ["Two", "Three"], set, ["a", "b", "a"])).toEqual({
    count: 5,
    existingCaptions: ["Three"],
    captionSetId: "a",
    customPrompt: "",
    customNotes: "short",
    generationMode: "reference",
    videoLinks: ["a", "b"],
  });
  expect(toGenerateRequest({ ...form, mode: "custom" }, ["Two"], set, [])).toMatchObject({
    existingCaptions: ["Two"],
    captionSetId: null,
    customPrompt: "left from before",
    generationMode: "custom",
  });
});

it("appends captions, one line each", () => {
  expect(addCaptions("", ["One", " Two \n lines "])).toBe("One\nTwo lines");
  expect(addCaptions("First\n\n", ["One", " "])).toBe("First\nOne");
});
