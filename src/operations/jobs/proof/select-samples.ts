import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

/** Selects finished samples, the only files that guests may see. */
export function selectSamples(db: Kysely<Tables>, jobId: string) {
  return db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select(["job_outputs.id", "job_outputs.name", "width", "height", "job_outputs.duration_seconds"])
    .where("job_outputs.job_id", "=", jobId)
    .where("job_outputs.status", "=", "Completed")
    .where("storage_key", "is not", null)
    .where("segment", "=", 0)
    .where("variant", "=", sql<number>`any(job_videos.proof_variants)`)
    .orderBy("job_videos.position")
    .orderBy("variant");
}
