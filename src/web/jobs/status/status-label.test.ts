import { expect, test } from "vitest";
import type { JobStatus } from "#contract/jobs/jobs.ts";
import { statusLabel } from "./status-label.ts";

// spec 4.1.3
test("includes the place of a queued job", () => {
  expect(statusLabel({ status: "Queued", queue_position: 3 })).toBe("Queued #3");
  expect(statusLabel({ status: "Queued", queue_position: null })).toBe("Queued");
});

// spec 4.1.2
test("returns any other status, and Queued for an unknown one", () => {
  expect(statusLabel({ status: "Cancelling", queue_position: null })).toBe("Cancelling");
  expect(statusLabel({ status: "Paused" as JobStatus, queue_position: null })).toBe("Queued");
});
