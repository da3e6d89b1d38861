import { sql, type Transaction, type Updateable } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { AttemptRef } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";
import type { WaitingFile } from "./plan-files.ts";
import { countFiles } from "./start-deliveries.ts";

/** Throws if the delivery has ended or belongs to a later attempt: the work must stop. */
function changing<Result>(
  { db }: Pick<Context, "db">,
  { taskId, attempt }: AttemptRef,
  change: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const current = await trx
      .selectFrom("deliveries")
      .select("id")
      .where("id", "=", taskId)
      .where("status", "=", "Processing")
      .where("attempts", "=", attempt)
      .forUpdate()
      .executeTakeFirst();
    if (!current) throw new Superseded();
    return await change(trx);
  });
}

class Superseded extends Error {
  override readonly name = "Superseded";
}

type Recorded = { targetPath?: string; resume?: string | null; attempts?: number };

export function recordProgress(
  context: Pick<Context, "db">,
  attempt: AttemptRef,
  fileId: string,
  { targetPath, resume, attempts }: Recorded,
): Promise<void> {
  return changing(context, attempt, async (trx) => {
    await trx
      .updateTable("delivery_files")
      .set({
        ...(targetPath !== undefined && { target_path: targetPath }),
        ...(resume !== undefined && { resume }),
        ...(attempts !== undefined && { attempts }),
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", fileId)
      .execute();
  });
}

/** Progress ends a wait and renews the retries. */
export function recordDelivered(
  context: Pick<Context, "db" | "queue">,
  attempt: AttemptRef,
  fileId: string,
  { sizeBytes, sha256 }: { sizeBytes: number; sha256: string },
): Promise<void> {
  return changing(context, attempt, async (trx) => {
    const isOutput = await endFile(trx, fileId, { state: "Delivered", size_bytes: sizeBytes, sha256, resume: null });
    await trx
      .updateTable("deliveries")
      .set({ waiting_since: null, updated_at: sql<string>`now()` })
      .$if(isOutput, (delivery) => delivery.set((eb) => ({ delivered: eb("delivered", "+", 1) })))
      .where("id", "=", attempt.taskId)
      .execute();
    await context.queue.deliveries.renewRetries(trx, attempt.taskId);
  });
}

/** With `keepsProgress`, a retry continues the file. */
export function recordFailed(
  context: Pick<Context, "db">,
  attempt: AttemptRef,
  fileId: string,
  reason: string,
  { keepsProgress = false } = {},
): Promise<void> {
  return changing(context, attempt, async (trx) => {
    const failed = { state: "Failed", error_message: reason, ...(!keepsProgress && { resume: null }) } as const;
    const isOutput = await endFile(trx, fileId, failed);
    await trx
      .updateTable("deliveries")
      .set({ updated_at: sql<string>`now()` })
      .$if(isOutput, (delivery) => delivery.set((eb) => ({ failed: eb("failed", "+", 1) })))
      .where("id", "=", attempt.taskId)
      .execute();
  });
}

/** Returns true for an output, and false for a manifest or if recorded before. */
async function endFile(
  trx: Transaction<Tables>,
  fileId: string,
  end: Updateable<Tables["delivery_files"]>,
): Promise<boolean> {
  const file = await trx
    .updateTable("delivery_files")
    .set({ error_message: null, ...end, updated_at: sql<string>`now()` })
    .where("id", "=", fileId)
    .where("state", "=", "Waiting")
    .returning("output_id")
    .executeTakeFirst();
  return file !== undefined && file.output_id !== null;
}

/** Removes the file from the delivery if a reviewer has rejected it since. */
export function leaveOutIfRejected(
  context: Pick<Context, "db">,
  attempt: AttemptRef,
  fileId: string,
): Promise<boolean> {
  return changing(context, attempt, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("delivery_files")
      .using("job_outputs")
      .whereRef("job_outputs.id", "=", "output_id")
      .where("delivery_files.id", "=", fileId)
      .where("verdict", "=", "rejected")
      .executeTakeFirst();
    if (numDeletedRows > 0n) await countFiles(trx, attempt.taskId);
    return numDeletedRows > 0n;
  });
}

/** Returns null and changes nothing if files were added since. */
export function endDelivery(
  context: Pick<Context, "db">,
  attempt: AttemptRef,
): Promise<{ status: "Completed" | "Failed"; delivered: number; failed: number } | null> {
  return changing(context, attempt, async (trx) => {
    const id = attempt.taskId;
    const { waiting, failed, delivered } = await trx
      .selectFrom("delivery_files")
      .select([
        sql<number>`(count(*) filter (where state = 'Waiting' and output_id is not null))::int`.as("waiting"),
        sql<number>`(count(*) filter (where state = 'Failed'))::int`.as("failed"),
        sql<number>`(count(*) filter (where state = 'Delivered' and output_id is not null))::int`.as("delivered"),
      ])
      .where("delivery_id", "=", id)
      .executeTakeFirstOrThrow();
    if (waiting > 0) return null;
    const status = failed > 0 ? "Failed" : "Completed";
    const reason = failed === 0 ? null : describe(failed, failed + delivered);
    await trx
      .updateTable("deliveries")
      .set({
        status,
        stage: null,
        error_message: reason,
        waiting_since: null,
        ended_at: sql<string>`now()`,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", id)
      .execute();
    return { status, delivered, failed };
  });
}

function describe(failed: number, all: number): string {
  return failed === 1 && all === 1
    ? "The file could not be delivered."
    : `${failed} of ${all} files could not be delivered.`;
}

// Checkpoints continue uploads. Google Drive's are addresses to which anyone may write, so they are sealed.

type Sealer = Pick<Context, "secrets">;

export function sealCheckpoint({ secrets }: Sealer, { id }: Pick<WaitingFile, "id">, checkpoint: string): string {
  return secrets.seal(sealName(id), checkpoint);
}

/** Null without a checkpoint, or after a change of the app secret. */
export function openCheckpoint({ secrets }: Sealer, { id, resume }: Pick<WaitingFile, "id" | "resume">): string | null {
  if (resume === null) return null;
  try {
    return secrets.open(sealName(id), resume);
  } catch (error) {
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}

function sealName(fileId: string): string {
  return `delivery-file:${fileId}`;
}
