import { runInSpan, type SpanFacts, type Tracing } from "#ground/tracing/tracing.ts";
import type { Numbering, TaskKind } from "./task-kinds.ts";

/**
 * Continues the trace that enqueued the task, with a span for its wait in the queue and one for the attempt. A wait
 * starts when the task could first have been claimed, so after a task was handed back, it includes the earlier attempt.
 */
export async function traceAttempt<Task extends Numbering>(
  tracing: Tracing | null,
  { queue, noun }: Pick<TaskKind<Task>, "queue" | "noun">,
  { task, attempt }: { task: { data: Task; waitedMs?: number }; attempt: number },
  run: () => Promise<void>,
): Promise<void> {
  if (!tracing) return await run();
  const { traceparent = null } = task.data;
  const facts = { queue, attempt, ...idsOf(task.data) };
  if (traceparent !== null) {
    const startedMs = Date.now() - Math.max(0, task.waitedMs ?? 0);
    tracing.startSpan("queue wait", traceparent, { facts, startedMs }).end();
  }
  const span = tracing.startSpan(`${noun} attempt`, traceparent, { kind: "consumer", facts });
  await runInSpan(span, run);
}

/** Returns a task's `jobId` as `job_id`, and so on. */
function idsOf(task: object): SpanFacts {
  const ids = Object.entries(task).filter((entry): entry is [string, string] => {
    return entry[0].endsWith("Id") && typeof entry[1] === "string";
  });
  return Object.fromEntries(ids.map(([name, id]) => [name.replace(/Id$/, "_id"), id]));
}
