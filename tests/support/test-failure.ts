import type { Failure } from "#contract/jobs/failures.ts";

/** Returns a failure with this message, for tests that do not depend on its code. */
export function testFailure(message: string): Failure {
  return { code: "network", step: "fetch", message, tail: null };
}
