import { expect, test } from "vitest";
import { formatShortDate } from "./short-date.ts";

const now = new Date(2026, 10, 21);

test("says month, day and time, in 24 hours", () => {
  expect(formatShortDate(new Date(2026, 10, 20, 21, 12).toISOString(), now)).toBe("Nov 20, 21:12");
  expect(formatShortDate(new Date(2026, 0, 5, 0, 7).toISOString(), now)).toBe("Jan 5, 00:07");
});

test("says the year in place of the time when it is another one", () => {
  expect(formatShortDate(new Date(2025, 10, 20, 21, 12).toISOString(), now)).toBe("Nov 20, 2025");
});
