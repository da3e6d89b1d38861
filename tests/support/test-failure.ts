import type { Failure } from "#contract/jobs/failures.ts";

/** Returns a failure with this sentence, for tests to which its class does not matter. */
export function testFailure(message: string): Failure {
  return { code: "network", step: "fetch", message, tail: null };
}
