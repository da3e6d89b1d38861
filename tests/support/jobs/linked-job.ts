import { sql } from "kysely";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { Context } from "#operations/context.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";

export type LinkedJob = { jobId: string; domainId: string; end(): Promise<boolean> };

/**
 * Returns a running job of `videos` × `variants` completed files that exist only in the database. `end` ends its last
 * video and thus the job.
 */
export async function startLinkedJob(
  context: Context & ActorContext,
  { videos, variants, ...request }: Partial<CreateJobRequest> & { videos: number; variants: number },
): Promise<LinkedJob> {
  const { db } = context;
  const domain = await db
    .insertInto("domains")
    .values({ name: "shop.test" })
    .onConflict((row) => row.column("name").doUpdateSet({ name: "shop.test" }))
    .returning("id")
    .executeTakeFirstOrThrow();
  // Without tasks: no worker may claim videos that do not exist.
  const queue = { ...context.queue, videos: { ...context.queue.videos, enqueue: async () => {} } };
  const job = await createJob(
    { ...context, queue },
    {
      job_name: "Spring drop",
      input_videos: Array.from({ length: videos }, (_, i) => `https://drive.google.com/file/d/clip${i}/view`),
      variants_per_video: variants,
      link_domain_id: domain.id,
      link_target: "https://target.test/{position}?v={variant}",
      ...request,
    },
    null,
  );
  await sql`update jobs set status = 'Processing' where id = ${job.id}`.execute(db);
  await sql`update job_videos set status = 'Processing', attempts = 1, name = 'Clip ' || position || '.mov'
    where job_id = ${job.id}`.execute(db);
  await sql`
    insert into job_outputs (job_id, video_id, variant, segment, name, status, progress, storage_key)
    select job_id, id, variant, 0, format('%s-v%s-Clip.mp4', lpad((position + 1)::text, 3, '0'), variant + 1),
      'Completed', 100, id || '-' || variant
    from job_videos, generate_series(0, ${variants - 1}::int) as variant where job_id = ${job.id}`.execute(db);
  await sql`update job_videos set status = 'Completed' where job_id = ${job.id} and position > 0`.execute(db);
  const last = await db
    .selectFrom("job_videos")
    .select("id")
    .where("job_id", "=", job.id)
    .where("position", "=", 0)
    .executeTakeFirstOrThrow();
  return {
    jobId: job.id,
    domainId: domain.id,
    end: () => endVideo(context, { jobId: job.id, videoId: last.id, attempt: 1 }, { status: "Completed" }),
  };
}
