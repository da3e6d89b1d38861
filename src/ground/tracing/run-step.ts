import { inStep } from "#contract/errors.ts";
import type { FailureStep } from "#contract/jobs/failures.ts";
import { inSpan, type SpanFacts } from "./tracing.ts";

/** Like `inStep`; the step is also a span of the trace. */
export function runStep<Result>(
  step: FailureStep,
  run: () => Result | Promise<Result>,
  facts?: SpanFacts,
): Promise<Result> {
  return inSpan(step, () => inStep(step, run), facts);
}
