import type { Context } from "../context.ts";

/** Returns the tasks whose job is being cancelled, has ended, or was deleted. */
export async function findTasksOfStoppedJobs<Task extends { jobId: string }>(
  context: Pick<Context, "db">,
  tasks: readonly Task[],
): Promise<Set<Task>> {
  const running = await context.db
    .selectFrom("jobs")
    .select("id")
    .where(
      "id",
      "in",
      tasks.map(({ jobId }) => jobId),
    )
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const ids = new Set(running.map(({ id }) => id));
  return new Set(tasks.filter(({ jobId }) => !ids.has(jobId)));
}
