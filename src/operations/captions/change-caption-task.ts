/** The life of one video of a caption batch, from claim to end. A stale attempt changes nothing. */
import { type Selectable, sql, type Transaction } from "kysely";
import type { CaptionStage, CaptionTaskStatus } from "#contract/captions.ts";
import { hostOfLink } from "#contract/hosts.ts";
import type { CaptionTasksTable, Tables } from "#database/tables.ts";
import type { CaptionTask } from "#queue/open-queue.ts";
import type { Context } from "../context.ts";
import { findRest } from "../hosts/find-rest.ts";
import { NOT_WAITING, secondsOf, type Wait, waitColumns } from "../hosts/wait.ts";

/** Which attempt speaks. */
type Speaker = { taskId: string; attempt: number };

type WaitingTask = Omit<CaptionTask, "batchId"> & { attempt: number };

type Change = Partial<
  Pick<
    Selectable<CaptionTasksTable>,
    "name" | "status" | "stage" | "caption" | "error_message" | "waits_for" | "waiting_since" | "next_try_at"
  >
>;

/** Starts an attempt. Returns null if the video has ended, a later attempt owns it, or its host rests (then it waits). */
export function claimCaptionTask(
  context: Pick<Context, "db" | "queue">,
  task: CaptionTask,
  attempt: number,
): Promise<Selectable<CaptionTasksTable> | null> {
  return context.db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom("caption_tasks").select("link").where("id", "=", task.taskId).executeTakeFirst();
    const host = row ? hostOfLink(row.link) : null;
    const rest = await findRest(trx, host ? ["openai", host] : ["openai"], task.taskId);
    if (rest && (await letWait(context, trx, { ...task, attempt }, rest.reason, rest))) return null;
    return claim(trx, task.taskId, attempt);
  });
}

async function claim(
  trx: Transaction<Tables>,
  taskId: string,
  attempt: number,
): Promise<Selectable<CaptionTasksTable> | null> {
  const claimed = await trx
    .updateTable("caption_tasks")
    .set({
      status: "Processing",
      stage: "Fetching",
      attempts: attempt,
      error_message: null,
      waits_for: null,
      next_try_at: null,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", taskId)
    .where("status", "in", ["Queued", "Processing"])
    .where("attempts", "<=", attempt)
    .returningAll()
    .executeTakeFirst();
  return claimed ?? null;
}

/** Says what is being done with a video now, and its name once known. */
export async function noteCaptionStage(
  context: Pick<Context, "db">,
  speaker: Speaker,
  stage: CaptionStage,
  name: string,
): Promise<void> {
  await changeRunning(context, speaker, { stage, name });
}

/** Like postponeVideo. Returns false if the video has already ended. */
export function postponeCaptionTask(
  context: Pick<Context, "db" | "queue">,
  task: WaitingTask,
  reason: string,
  wait: Wait | null = null,
): Promise<boolean> {
  if (wait) return context.db.transaction().execute((trx) => letWait(context, trx, task, reason, wait));
  return change(context, task, { ...NOT_WAITING, status: "Queued", stage: null, error_message: reason });
}

/** Undoes a claim: after the wait, the same attempt runs again. */
async function letWait(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { taskId, ...task }: WaitingTask,
  reason: string,
  wait: Wait,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("caption_tasks")
    .set({
      ...waitColumns(wait),
      status: "Queued",
      stage: null,
      error_message: reason,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", taskId)
    .where("status", "in", ["Queued", "Processing"])
    .where("attempts", "<=", task.attempt)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await context.queue.putBack(trx, "captions", { ...task, id: taskId }, secondsOf(wait));
  return true;
}

/** Ends a video with its caption, or with the reason why there is none. */
export function endCaptionTask(
  context: Pick<Context, "db">,
  speaker: Speaker,
  end: { caption: string } | { reason: string },
): Promise<boolean> {
  if ("caption" in end)
    return changeRunning(context, speaker, { status: "Completed", stage: null, caption: end.caption });
  return changeRunning(context, speaker, { status: "Failed", stage: null, error_message: end.reason });
}

/**
 * Fails a video whose last attempt was cut off with its worker, whatever the number of that attempt. False, changing nothing,
 * when it has ended, also when it is tried again since: this may be told once more long afterwards.
 */
export function endLostCaptionTask(
  context: Pick<Context, "db" | "queue">,
  { taskId }: Pick<CaptionTask, "taskId">,
  reason: string,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    // Nobody has the video tried again while its row is locked.
    const open = await trx
      .selectFrom("caption_tasks")
      .select("id")
      .where("id", "=", taskId)
      .where("status", "in", ["Queued", "Processing"])
      .forUpdate()
      .executeTakeFirst();
    if (!open || (await context.queue.isCaptionEnqueued(trx, taskId))) return false;
    await trx
      .updateTable("caption_tasks")
      .set({ status: "Failed", stage: null, error_message: reason, updated_at: sql<string>`now()` })
      .where("id", "=", taskId)
      .execute();
    return true;
  });
}

/** Tried again a video is Queued under the number of the attempt that ended it: for that one it runs no more. */
function changeRunning(context: Pick<Context, "db">, speaker: Speaker, values: Change): Promise<boolean> {
  return change(context, speaker, values, ["Processing"]);
}

async function change(
  context: Pick<Context, "db">,
  { taskId, attempt }: Speaker,
  values: Change,
  from: CaptionTaskStatus[] = ["Queued", "Processing"],
): Promise<boolean> {
  const { numUpdatedRows } = await context.db
    .updateTable("caption_tasks")
    .set({ ...values, updated_at: sql<string>`now()` })
    .where("id", "=", taskId)
    .where("status", "in", from)
    .where("attempts", "=", attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
