import { expect, test } from "vitest";
import { describeRetries } from "./describe-retries.ts";

test("is null before the first retry", () => {
  expect(describeRetries({ retry_count: 0, max_retries: 3 })).toBeNull();
});

// spec 2.8.5, 9.3
test("shows count and limit, and only the count once several videos together exceed the limit", () => {
  expect(describeRetries({ retry_count: 1, max_retries: 3 })).toBe("Retry 1/3");
  expect(describeRetries({ retry_count: 3, max_retries: 3 })).toBe("Retry 3/3");
  expect(describeRetries({ retry_count: 7, max_retries: 3 })).toBe("Retry 7");
});
