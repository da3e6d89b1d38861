import { expect, test } from "vitest";
import { formatShortDate } from "./short-date.ts";

const now = new Date(2026, 10, 21);

test("shows month, day and 24-hour time", () => {
  expect(formatShortDate(new Date(2026, 10, 20, 21, 12).toISOString(), now)).toBe("Nov 20, 21:12");
  expect(formatShortDate(new Date(2026, 0, 5, 0, 7).toISOString(), now)).toBe("Jan 5, 00:07");
});

test("shows the year instead of the time for another year", () => {
  expect(formatShortDate(new Date(2025, 10, 20, 21, 12).toISOString(), now)).toBe("Nov 20, 2025");
});
