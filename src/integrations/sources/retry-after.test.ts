import { afterEach, describe, expect, it, vi } from "vitest";
import { retryAfterSecondsOf } from "./source-http.ts";

afterEach(() => vi.useRealTimers());

describe("retryAfterSecondsOf", () => {
  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30],
    ["Sat, 21 Nov 2026 09:59:00 GMT", 0],
    ["soon", null],
    ["", null],
    [undefined, null],
  ])("reads %j as %j", (value, seconds) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 10, 0, 0) });
    expect(retryAfterSecondsOf({ headers: { "retry-after": value } })).toBe(seconds);
  });

  it("uses the host's clock if given", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 11, 0, 0) });
    const headers = { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" };
    expect(retryAfterSecondsOf({ headers })).toBe(30);
  });
});
