import type { Context } from "../../context.ts";

/** Returns attempts whose video has ended, was deleted, or belongs to a later attempt. */
export async function findStoppedCaptionTasks<Attempt extends { taskId: string; attempt: number }>(
  context: Pick<Context, "db">,
  attempts: readonly Attempt[],
): Promise<Set<Attempt>> {
  const ids = attempts.map(({ taskId }) => taskId);
  const running = await context.db
    .selectFrom("caption_tasks")
    .select(["id", "attempts"])
    .where("id", "in", ids)
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const latest = new Map(running.map((task) => [task.id, task.attempts]));
  return new Set(attempts.filter(({ taskId, attempt }) => (latest.get(taskId) ?? Infinity) > attempt));
}
