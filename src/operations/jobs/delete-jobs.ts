import { sql, type Transaction } from "kysely";
import type { DeleteJobsResponse } from "#contract/calls.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { isDelivering } from "../deliveries/start-deliveries.ts";
import { foldersOf } from "./job-folders.ts";
import { releaseLinks } from "./links/read-links.ts";
import { lockJob } from "./lock-job.ts";

const STILL_RUNNING = "The job is still running. Cancel it first.";
const STILL_DELIVERING = "The job's files are being delivered. Cancel the delivery first.";

/**
 * Rejects jobs that are running or being delivered. Missing jobs count as deleted. Routes stay, without their job,
 * unless `deletesLinks` is true.
 */
export async function deleteJobs(
  context: Pick<Context, "db" | "storage"> & ActorContext,
  jobIds: string[],
  { deletesLinks = false }: { deletesLinks?: boolean } = {},
): Promise<DeleteJobsResponse> {
  const deleted: string[] = [];
  const refused: DeleteJobsResponse["refused"] = [];
  for (const id of new Set(jobIds)) {
    const error = await deleteJob(context, id, deletesLinks);
    if (error === null) deleted.push(id);
    else refused.push({ id, error });
  }
  await deleteScheduledFiles(context, { mostSeconds: SECONDS_OF_REQUEST });
  return { deleted, refused };
}

function deleteJob(
  context: Pick<Context, "db"> & ActorContext,
  id: string,
  deletesLinks: boolean,
): Promise<string | null> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, id);
    if (!job) return null;
    if (!isFinal(job.status)) return STILL_RUNNING;
    if (await isDelivering(trx, id)) return STILL_DELIVERING;
    await releaseLinks(trx, context.actor, id, { isDeleting: deletesLinks });
    await writeAudit(trx, context.actor, { action: "job.delete", subjects: [id] });
    const deleted = await trx
      .deleteFrom("jobs")
      .where("id", "=", id)
      .returning(["id", "output_folder"])
      .executeTakeFirstOrThrow();
    await scheduleFileDeletion(trx, deleted);
    return null;
  });
}

const DELETIONS_AT_ONCE = 16;
/** Finding them reads all jobs. */
const CLAIMED_AT_ONCE = 256;
/** After this time, the claims of a killed process expire. */
const CLAIM_MINUTES = 10;
/** A request without a response is cut off after 120 s. */
export const SECONDS_OF_REQUEST = 20;

/** In the deletion's transaction, so that a crash leaves no files behind. */
export async function scheduleFileDeletion(
  trx: Transaction<Tables>,
  job: Parameters<typeof foldersOf>[0],
): Promise<void> {
  const { outputs, thumbnails } = foldersOf(job);
  await trx
    .insertInto("pending_file_deletions")
    .values([{ prefix: outputs }, { prefix: thumbnails }])
    .onConflict((row) => row.column("prefix").doNothing())
    .execute();
}

/**
 * Starts no deletion after `mostSeconds`. The next call, at the latest in an hour, deletes the rest and retries failures.
 * Concurrent calls, on any server, share the work.
 */
export async function deleteScheduledFiles(
  { db, storage }: Pick<Context, "db" | "storage">,
  { mostSeconds = Infinity }: { mostSeconds?: number } = {},
): Promise<void> {
  const endMs = performance.now() + mostSeconds * 1_000;
  const unfinished = new Set<string>();
  try {
    for (;;) {
      const prefixes = performance.now() < endMs ? await claimPrefixes(db) : [];
      if (prefixes.length === 0) return;
      for (const prefix of prefixes) unfinished.add(prefix);
      await forEachAtOnce(prefixes, DELETIONS_AT_ONCE, async (prefix) => {
        if (performance.now() >= endMs) return;
        try {
          await storage.removeAll(prefix);
        } catch {
          return;
        }
        await db.deleteFrom("pending_file_deletions").where("prefix", "=", prefix).execute();
        unfinished.delete(prefix);
      });
    }
  } finally {
    if (unfinished.size > 0) {
      const left = db.updateTable("pending_file_deletions").where("prefix", "in", [...unfinished]);
      await left.set({ claimed_until: null }).execute();
    }
  }
}

async function claimPrefixes(db: Context["db"]): Promise<string[]> {
  // Jobs of earlier versions may have another job's id as their folder; its files stay until those jobs are deleted.
  const { rows } = await sql<{ prefix: string }>`
    update pending_file_deletions set claimed_until = now() + make_interval(mins => ${CLAIM_MINUTES})
    where prefix in (
      select prefix from pending_file_deletions
      where (claimed_until is null or claimed_until < now())
        and not exists (select from jobs where prefix = 'outputs/' || output_folder)
      order by created_at limit ${CLAIMED_AT_ONCE} for update skip locked
    )
    returning prefix`.execute(db);
  return rows.map(({ prefix }) => prefix);
}
