/**
 * The locking rule (ADR 56): a change of a job's state takes the job's lock alone (`lockJob`), a change of one of its
 * videos shares the lock (`withJob`). Either takes it first in its transaction, so that changes are in order. A change
 * that turns out to need the job alone (`requireAlone`) is rolled back and starts again.
 */
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { JobsTable, Tables } from "#database/tables.ts";

/** Excludes captions and links, which may be megabytes. `isShared`: others may change the job's videos. */
export type LockedJob = Pick<Selectable<JobsTable>, "id" | "status" | "total_videos" | "held_at" | "proof_state"> & {
  isShared: boolean;
};

/** The first step of every change of state. Returns null if the job was deleted. */
export async function lockJob(trx: Transaction<Tables>, jobId: string): Promise<LockedJob | null> {
  const { rows } = await sql<Omit<LockedJob, "isShared">>`select * from lock_job(${jobId})`.execute(trx);
  return rows[0] ? { ...rows[0], isShared: false } : null;
}

/**
 * Runs a change of one video, concurrently with changes of other videos but not of the job's state. If it needs the job
 * alone (requireAlone), it is rolled back and runs again with the job locked.
 */
export async function withJob<Result>(
  db: Kysely<Tables>,
  jobId: string,
  act: (trx: Transaction<Tables>, job: LockedJob | null) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (trx) => act(trx, await shareJob(trx, jobId)));
  } catch (error) {
    if (!(error instanceof NeedsJobAlone)) throw error;
    return await withJobAlone(db, jobId, act);
  }
}

/** Like withJob, with the job locked from the start. */
export function withJobAlone<Result>(
  db: Kysely<Tables>,
  jobId: string,
  act: (trx: Transaction<Tables>, job: LockedJob | null) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => act(trx, await lockJob(trx, jobId)));
}

/** Makes withJob start again with the job locked, unless it is. */
export function requireAlone(job: Pick<LockedJob, "isShared">): void {
  if (job.isShared) throw new NeedsJobAlone("This change needs the job alone; only withJob may share it.");
}

class NeedsJobAlone extends Error {}

async function shareJob(trx: Transaction<Tables>, jobId: string): Promise<LockedJob | null> {
  const { rows } = await sql<Omit<LockedJob, "isShared">>`select * from share_job(${jobId})`.execute(trx);
  return rows[0] ? { ...rows[0], isShared: true } : null;
}
