/** A stale attempt changes nothing. */
import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import type { Failure } from "#contract/jobs/failures.ts";
import type { CaptionTasksTable, DeliveriesTable, JobVideosTable, Tables, TranscriptsTable } from "#database/tables.ts";
import type { QueueName } from "#queue/open-queue.ts";
import type { Context } from "../context.ts";
import { NOT_WAITING, secondsOf, type Wait, waitColumns } from "../hosts/find-cooldown.ts";
import { failureColumns, NO_FAILURE } from "../jobs/failures/failure-columns.ts";

export const TASK_TABLES = {
  videos: "job_videos",
  captions: "caption_tasks",
  deliveries: "deliveries",
  transcripts: "transcripts",
} as const satisfies Record<QueueName, string>;
export const TASK_QUEUES = ["videos", "captions", "deliveries", "transcripts"] as const satisfies readonly QueueName[];

const FIRST_STAGES = {
  videos: "Fetching",
  captions: "Fetching",
  deliveries: "Sending",
  transcripts: "Fetching",
} as const;

type TaskRow<Name extends QueueName> = Selectable<
  {
    videos: JobVideosTable;
    captions: CaptionTasksTable;
    deliveries: DeliveriesTable;
    transcripts: TranscriptsTable;
  }[Name]
>;

type OwnColumns<Name extends QueueName> = Name extends "videos"
  ? { started_at?: RawBuilder<string> }
  : Record<string, never>;

/** Writes count only while this is the latest attempt. */
export type AttemptRef = { taskId: string; attempt: number };

/** The numbers identify the attempt in the queue. */
export type AttemptClaim = AttemptRef & { attemptsBefore?: number; handedBack?: number };

/** Returns null if the row has ended or belongs to a later attempt. */
export async function startAttempt<Name extends QueueName>(
  trx: Transaction<Tables>,
  queue: Name,
  { taskId, attempt }: AttemptRef,
  more: OwnColumns<Name> = {},
): Promise<TaskRow<Name> | null> {
  const row = await openRow(trx, queue, { taskId, attempt })
    .set({
      ...more,
      status: "Processing",
      stage: FIRST_STAGES[queue],
      attempts: attempt,
      ...reasonColumns(queue, null),
      waits_for: null,
      next_try_at: null,
      updated_at: sql<string>`now()`,
    })
    .returningAll()
    .executeTakeFirst();
  return (row as TaskRow<Name> | undefined) ?? null;
}

/**
 * The failure stays readable until the next attempt. With `wait`, the same attempt runs again. Returns false and
 * changes nothing if the row has ended or belongs to a later attempt.
 */
export async function postponeAttempt(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  queue: QueueName,
  { taskId, ...claim }: AttemptClaim,
  { failure, wait }: { failure: Failure; wait: Wait | null },
): Promise<boolean> {
  const { numUpdatedRows } = await openRow(trx, queue, { taskId, attempt: claim.attempt })
    .set({
      ...(wait ? waitColumns(wait) : NOT_WAITING),
      status: "Queued",
      stage: null,
      ...reasonColumns(queue, failure),
      updated_at: sql<string>`now()`,
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (wait) await context.queue[queue].putBack(trx, { ...claim, id: taskId }, { waitSeconds: secondsOf(wait) });
  return true;
}

/** Only videos store more than the sentence. */
export function reasonColumns(queue: QueueName, failure: Failure | null) {
  if (queue !== "videos") return { error_message: failure?.message ?? null };
  return failure ? failureColumns(failure) : NO_FAILURE;
}

/** Excludes rows that a later attempt took from a suspended worker. */
function openRow(trx: Transaction<Tables>, queue: QueueName, { taskId, attempt }: AttemptRef) {
  return trx
    .updateTable(TASK_TABLES[queue])
    .where("id", "=", taskId)
    .where("status", "in", ["Queued", "Processing"])
    .where("attempts", "<=", attempt);
}
