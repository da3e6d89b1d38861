import { expect, test } from "vitest";
import { describeHealth } from "./describe-health.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  [
    { state: "up", reason: null, checkedAt: "2026-03-01T11:59:30Z" },
    "The primary URL is responding. Checked just now.",
  ],
  [
    { state: "down", reason: "It returned 503", checkedAt: "2026-03-01T11:55:00Z" },
    "The primary URL isn't responding, so visitors are redirected to the fallback. It returned 503. Checked 5m ago.",
  ],
  [
    { state: "unknown", reason: "Internal addresses are not checked.", checkedAt: null },
    "The status of the primary URL is unknown. Internal addresses are not checked.",
  ],
] as const)("the health %j is described in sentences", (health, words) => {
  expect(describeHealth({ routeId: "r", ...health }, NOW)).toBe(words);
});
