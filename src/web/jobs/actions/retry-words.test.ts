import { expect, test } from "vitest";
import { retryWords } from "./retry-words.ts";

test("is null before the first retry", () => {
  expect(retryWords({ retry_count: 0, max_retries: 3 })).toBeNull();
});

// spec 2.8.5, 9.3
test("shows count and limit, and only the count once several videos together exceed the limit", () => {
  expect(retryWords({ retry_count: 1, max_retries: 3 })).toBe("Retry 1/3");
  expect(retryWords({ retry_count: 3, max_retries: 3 })).toBe("Retry 3/3");
  expect(retryWords({ retry_count: 7, max_retries: 3 })).toBe("Retry 7");
});
