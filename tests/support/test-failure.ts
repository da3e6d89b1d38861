import type { Failure } from "#contract/jobs/failures.ts";

export function testFailure(message: string): Failure {
  return { code: "network", step: "fetch", message, tail: null };
}
