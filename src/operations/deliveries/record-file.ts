import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { AttemptRef } from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";

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
  const delivered = { state: "Delivered", size_bytes: sizeBytes, sha256 } as const;
  return changing(context, attempt, async (trx) => {
    await trx
      .updateTable("delivery_files")
      .set({ ...delivered, resume: null, error_message: null, updated_at: sql<string>`now()` })
      .where("id", "=", fileId)
      .execute();
    await count(trx, attempt.taskId, { waiting_since: null });
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
    await trx
      .updateTable("delivery_files")
      .set({
        state: "Failed",
        ...(!keepsProgress && { resume: null }),
        error_message: reason,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", fileId)
      .execute();
    await count(trx, attempt.taskId, {});
  });
}

async function count(trx: Transaction<Tables>, deliveryId: string, more: { waiting_since?: null }): Promise<void> {
  const of = (state: string) => sql<number>`(select count(*) from delivery_files
    where delivery_id = ${deliveryId} and output_id is not null and state = ${state})`;
  await trx
    .updateTable("deliveries")
    .set({ ...more, delivered: of("Delivered"), failed: of("Failed"), updated_at: sql<string>`now()` })
    .where("id", "=", deliveryId)
    .execute();
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
        sql<number>`(count(*) filter (where state = 'Waiting'))::int`.as("waiting"),
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
