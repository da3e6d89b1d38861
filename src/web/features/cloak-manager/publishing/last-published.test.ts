import { expect, test } from "vitest";
import { describeLastPublished } from "./last-published.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SECOND = 1000;
const HOUR = 3_600 * SECOND;

// spec 2.11.2, 9.22
test.each([
  [-5 * SECOND, "Just now"],
  [59 * SECOND, "Just now"],
  [60 * SECOND, "1m ago"],
  [59 * 60 * SECOND + 59 * SECOND, "59m ago"],
  [HOUR, "1h ago"],
  [24 * HOUR - SECOND, "23h ago"],
  [24 * HOUR, "1d ago"],
  [400 * 24 * HOUR, "400d ago"],
])("%i ms after a publish the screen says %s", (elapsed, words) => {
  expect(describeLastPublished(new Date(NOW - elapsed).toISOString(), NOW)).toBe(words);
});

// spec 2.11.2, 9.22
test("a missing publish time reads Never", () => {
  expect(describeLastPublished(null, NOW)).toBe("Never");
});
