import { expect, test } from "vitest";
import { cutText, quoteName } from "./cut-text.ts";

// spec 2.3.10, 8.12, 9.2
test("keeps a text that fits and cuts a longer one with an ellipsis", () => {
  expect(cutText("a".repeat(100), 100)).toBe("a".repeat(100));
  expect(cutText("a".repeat(101), 100)).toBe(`${"a".repeat(100)}...`);
});

test("never cuts a character in two", () => {
  expect(cutText("🎬".repeat(60), 100)).toBe("🎬".repeat(60));
  expect(cutText("🎬".repeat(3), 2)).toBe("🎬🎬...");
});

test("quotes and isolates a name, and cuts a long one", () => {
  expect(quoteName("Monday hooks")).toBe('"\u2068Monday hooks\u2069"');
  expect(quoteName("x".repeat(200))).toBe(`"\u2068${"x".repeat(80)}...\u2069"`);
});
