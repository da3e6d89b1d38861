import { type Selectable, sql } from "kysely";
import type { CaptionStage } from "#contract/captions.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import { type HostName, hostOfLink } from "#contract/sources/cooldowns.ts";
import type { CaptionTasksTable } from "#database/tables.ts";
import type { ChatAccess, TokenUsage } from "#integrations/openai/openai.ts";
import type { CaptionTask } from "#queue/open-queue.ts";
import { type AttemptClaim, type AttemptRef, postponeAttempt, startAttempt } from "../../attempts/task-rows.ts";
import type { Context } from "../../context.ts";
import { findCooldown, cooldownFailure, type Wait } from "../../hosts/find-cooldown.ts";
import { nameOfServer } from "../../settings/model-access.ts";
import { type VideoPrompt, videoPrompt } from "../caption-prompts.ts";
import { cleanCaptions } from "../check-captions.ts";

type Change = Partial<Pick<Selectable<CaptionTasksTable>, "name" | "status" | "stage" | "caption" | "error_message">>;

/**
 * Returns null if the video has ended, a later attempt owns it, or it now waits for a cooling host. `services` are those
 * of the models.
 */
export function claimCaptionTask(
  context: Pick<Context, "db" | "queue">,
  task: CaptionTask,
  attempt: number,
  services: readonly HostName[],
): Promise<Selectable<CaptionTasksTable> | null> {
  return context.db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom("caption_tasks").select("link").where("id", "=", task.taskId).executeTakeFirst();
    const host = row ? hostOfLink(row.link) : null;
    const cooldown = await findCooldown(trx, host ? [...services, host] : services, task.taskId);
    const postponement = cooldown && { failure: cooldownFailure(cooldown), wait: cooldown };
    if (postponement && (await postponeAttempt(context, trx, "captions", { ...task, attempt }, postponement)))
      return null;
    return startAttempt(trx, "captions", { taskId: task.taskId, attempt });
  });
}

export async function recordCaptionStage(
  context: Pick<Context, "db">,
  attemptRef: AttemptRef,
  stage: CaptionStage,
  name: string,
): Promise<void> {
  await changeRunning(context, attemptRef, { stage, name });
}

/** Like postponeVideo. */
export function postponeCaptionTask(
  context: Pick<Context, "db" | "queue">,
  task: AttemptClaim,
  failure: Failure,
  wait: Wait | null = null,
): Promise<boolean> {
  return context.db.transaction().execute((trx) => postponeAttempt(context, trx, "captions", task, { failure, wait }));
}

/** Returns false for a stale attempt or an ended video. */
export function endCaptionTask(
  context: Pick<Context, "db">,
  attemptRef: AttemptRef,
  end: { caption: string } | { reason: string },
): Promise<boolean> {
  if ("caption" in end)
    return changeRunning(context, attemptRef, { status: "Completed", stage: null, caption: end.caption });
  return changeRunning(context, attemptRef, { status: "Failed", stage: null, error_message: end.reason });
}

/**
 * Fails a video whose last attempt was lost with its worker. Returns false and changes nothing if it has ended or was
 * retried since: a loss may be reported again much later.
 */
export function endLostCaptionTask(
  context: Pick<Context, "db" | "queue">,
  { taskId }: Pick<CaptionTask, "taskId">,
  reason: string,
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    // The row's lock prevents a concurrent retry.
    const open = await trx
      .selectFrom("caption_tasks")
      .select("id")
      .where("id", "=", taskId)
      .where("status", "in", ["Queued", "Processing"])
      .forUpdate()
      .executeTakeFirst();
    if (!open || (await context.queue.captions.isOpen(trx, taskId))) return false;
    await trx
      .updateTable("caption_tasks")
      .set({ status: "Failed", stage: null, error_message: reason, updated_at: sql<string>`now()` })
      .where("id", "=", taskId)
      .execute();
    return true;
  });
}

/** Changes only Processing rows: a retried video is Queued under the number of the attempt that ended it. */
async function changeRunning(
  context: Pick<Context, "db">,
  { taskId, attempt }: AttemptRef,
  values: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await context.db
    .updateTable("caption_tasks")
    .set({ ...values, updated_at: sql<string>`now()` })
    .where("id", "=", taskId)
    .where("status", "=", "Processing")
    .where("attempts", "=", attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function writeVideoCaption(
  access: ChatAccess,
  video: VideoPrompt & { pictures: readonly Buffer[] },
  signal: AbortSignal,
): Promise<{ caption: string; use: TokenUsage }> {
  const question = { ...videoPrompt(video), pictures: video.pictures, count: 1 };
  const { requestCaptions } = await import("#integrations/openai/openai-captions.ts");
  const { captions, use } = await requestCaptions(access, question, signal);
  const caption = cleanCaptions(captions).find((text) => text !== "");
  if (!caption)
    throw new ClipmillError("unavailable", `${nameOfServer(access)} returned no caption for this video. Try again.`);
  return { caption, use };
}

/** Returns attempts whose video has ended, was deleted, or belongs to a later attempt. */
export async function findStoppedCaptionTasks<Attempt extends { taskId: string; attempt: number }>(
  context: Pick<Context, "db">,
  attempts: readonly Attempt[],
): Promise<Set<Attempt>> {
  const ids = attempts.map(({ taskId }) => taskId);
  const running = await context.db
    .selectFrom("caption_tasks")
    .select(["id", "attempts"])
    .where("id", "in", ids)
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const latest = new Map(running.map((task) => [task.id, task.attempts]));
  return new Set(attempts.filter(({ taskId, attempt }) => (latest.get(taskId) ?? Infinity) > attempt));
}
