import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { suppressRepeatedErrors } from "./suppress-repeated-errors.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reports the same error twice a minute, and another one immediately", () => {
  const told: string[] = [];
  const tell = suppressRepeatedErrors((error) => told.push(error.message));
  for (let second = 0; second < 60; second += 1) {
    tell(new Error("no connection"));
    if (second === 10) tell(new Error("no such table"));
    vi.advanceTimersByTime(1_000);
  }
  expect(told).toEqual(["no connection", "no such table", "no connection"]);
});
