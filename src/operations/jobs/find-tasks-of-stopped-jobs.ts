import type { Context } from "../context.ts";

/** Which of these tasks are not to be gone on with: their job is being cancelled, has ended, or is gone. */
export async function findTasksOfStoppedJobs<Task extends { jobId: string }>(
  context: Pick<Context, "db">,
  tasks: readonly Task[],
): Promise<Set<Task>> {
  const going = await context.db
    .selectFrom("jobs")
    .select("id")
    .where(
      "id",
      "in",
      tasks.map(({ jobId }) => jobId),
    )
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const ids = new Set(going.map(({ id }) => id));
  return new Set(tasks.filter(({ jobId }) => !ids.has(jobId)));
}
