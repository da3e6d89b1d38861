import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { AuthError } from "./auth-error.ts";
import { hashNewPassword, isPassword } from "./password.ts";

it("does not block other work while many passwords are checked, and completes every check", async () => {
  const stored = await hashNewPassword("the right one");
  let checked = 0;
  const checks = Array.from({ length: 60 }, (_, i) =>
    isPassword(i % 2 === 0 ? "the right one" : "a wrong one", stored).finally(() => (checked += 1)),
  );
  await readFile(import.meta.filename);
  expect(checked).toBeLessThan(30);
  expect(await Promise.all(checks)).toEqual(checks.map((_, i) => i % 2 === 0));
});

it("rejects a flood of sign-ins, and recovers afterwards", async () => {
  const flood = Array.from({ length: 150 }, () => isPassword("anything", null));
  const settled = await Promise.allSettled(flood);
  const rejected = settled.filter((check) => check.status === "rejected");
  expect(rejected.length).toBeGreaterThan(40);
  expect(rejected[0]!.reason).toBeInstanceOf(AuthError);
  expect(rejected[0]!.reason).toMatchObject({ code: "over_request_rate_limit", retryAfterSeconds: 10 });
  expect(await isPassword("anything", null)).toBe(false);
});
