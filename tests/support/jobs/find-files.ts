import type { TestWorker } from "../servers/worker.ts";

export async function findFiles({ context }: Pick<TestWorker, "context">, jobId: string): Promise<string[]> {
  const outputs = await context.db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select("job_outputs.storage_key")
    .where("job_outputs.job_id", "=", jobId)
    .orderBy("job_videos.position")
    .orderBy("job_outputs.variant")
    .orderBy("job_outputs.segment")
    .execute();
  return Promise.all(outputs.map(({ storage_key: key }) => context.storage.toLocalFile(key!)));
}
