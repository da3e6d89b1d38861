import type { Context } from "../../context.ts";

/** Which of these attempts are not to be gone on with: their video has ended, a later attempt has it, or it is gone. */
export async function findStoppedCaptionTasks<Attempt extends { taskId: string; attempt: number }>(
  context: Pick<Context, "db">,
  attempts: readonly Attempt[],
): Promise<Set<Attempt>> {
  const ids = attempts.map(({ taskId }) => taskId);
  const going = await context.db
    .selectFrom("caption_tasks")
    .select(["id", "attempts"])
    .where("id", "in", ids)
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const latest = new Map(going.map((task) => [task.id, task.attempts]));
  return new Set(attempts.filter(({ taskId, attempt }) => (latest.get(taskId) ?? Infinity) > attempt));
}
