import type { z } from "zod";
import { sql } from "kysely";
import { type WatchFile, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import type { listWatchFilesSchema } from "#contract/watch-folders/watch-requests.ts";
import type { Context } from "../context.ts";

/** Newest first, up to 100 after the given one. */
export async function listWatchFiles(
  { db }: Pick<Context, "db">,
  { id, state, after }: z.output<typeof listWatchFilesSchema>,
): Promise<WatchFile[]> {
  const rows = await db
    .selectFrom("watch_files")
    .leftJoin("jobs", "jobs.id", "watch_files.job_id")
    .select(["watch_files.id", "name", "size_bytes", "state", "reason", "first_seen_at", "taken_at", "missing_since"])
    .select(["jobs.id as job_id", "jobs.job_name", "jobs.status as job_status"])
    .where("folder_id", "=", id)
    .$if(Boolean(state), (query) => query.where("state", "=", state!))
    .$if(Boolean(after), (query) =>
      query.where(
        sql<boolean>`exists (select from watch_files as earlier where earlier.id = ${after}::uuid and
          (watch_files.first_seen_at, earlier.id) < (earlier.first_seen_at, watch_files.id))`,
      ),
    )
    .orderBy("first_seen_at", "desc")
    .orderBy("watch_files.id")
    .limit(WATCH_LIMITS.filesPerPage)
    .execute();
  return rows.map(({ job_id, job_name, job_status, missing_since: missingSince, ...file }) => {
    const job = job_id === null ? null : { id: job_id, name: job_name!, status: job_status! };
    return Object.assign(file, { job, is_missing: missingSince !== null });
  });
}
