import { expect, test } from "vitest";
import { explainNames, readNames, toChange } from "./transcription-form.ts";

test("names are read from lines, and an arrow without a name is explained", () => {
  expect(readNames(" clip mill -> Clipmill\n\nMcKinley \n-> Ada")).toEqual([
    { from: "clip mill", to: "Clipmill" },
    { to: "McKinley" },
    { to: "Ada" },
  ]);
  expect(explainNames("McKinley")).toBe(true);
  expect(explainNames("a -> ")).toBe('Enter how "a" is written, after ->.');
});

test("only edited fields are sent, and empty ones are removed", () => {
  const typed = { transcription_base_url: " ", transcription_model: "m", names: "" };
  expect(toChange(typed, new Set(["transcription_base_url", "names"]))).toEqual({
    transcription_base_url: null,
    transcript_names: [],
  });
});
