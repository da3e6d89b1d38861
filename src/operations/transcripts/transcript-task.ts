import { type Selectable, sql, type Transaction } from "kysely";
import type { HostName } from "#contract/sources/cooldowns.ts";
import { hostOfLink } from "#contract/sources/cooldowns.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import type { TranscriptLine, TranscriptOrigin, TranscriptStage } from "#contract/transcripts/transcripts.ts";
import type { Tables, TranscriptsTable } from "#database/tables.ts";
import type { TranscriptTask } from "#queue/open-queue.ts";
import {
  type AttemptClaim,
  type AttemptRef,
  postponeAttempt,
  reasonColumns,
  startAttempt,
} from "../attempts/task-rows.ts";
import type { Context } from "../context.ts";
import { cooldownFailure, findCooldown, NOT_WAITING, type Wait } from "../hosts/find-cooldown.ts";
import { IS_NEEDED } from "./change-transcript.ts";
import { correctNames } from "./correct-names.ts";
import { readTranscriptNames } from "./transcript-names.ts";

/**
 * Returns null if the transcript has ended, a later attempt owns it, no video needs it any longer, or it now waits for
 * a cooling host. `service` is that of the recognizer.
 */
export function claimTranscript(
  context: Pick<Context, "db" | "queue">,
  task: TranscriptTask,
  attempt: number,
  service: HostName,
): Promise<Selectable<TranscriptsTable> | null> {
  const { taskId } = task;
  return context.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("transcripts")
      .select(["link", sql<boolean>`exists (${IS_NEEDED})`.as("isNeeded")])
      .where("id", "=", taskId)
      .executeTakeFirst();
    if (!row) return null;
    if (!row.isNeeded) {
      await endAttempt(trx, { taskId, attempt }, { status: "Cancelled" });
      return null;
    }
    const hosts = [service, hostOfLink(row.link)].filter((host) => host !== null);
    const cooldown = await findCooldown(trx, hosts, taskId);
    const postponement = cooldown && { failure: cooldownFailure(cooldown), wait: cooldown };
    if (postponement && (await postponeAttempt(context, trx, "transcripts", { ...task, attempt }, postponement)))
      return null;
    return startAttempt(trx, "transcripts", { taskId, attempt });
  });
}

/** `progress` is in percent. */
export async function recordTranscriptStage(
  { db }: Pick<Context, "db">,
  { taskId, attempt }: AttemptRef,
  stage: TranscriptStage,
  progress: number,
): Promise<void> {
  await db
    .updateTable("transcripts")
    .set({ stage, progress, updated_at: sql<string>`now()` })
    .where("id", "=", taskId)
    .where("status", "=", "Processing")
    .where("attempts", "=", attempt)
    .execute();
}

/** Like postponeVideo. */
export function postponeTranscript(
  context: Pick<Context, "db" | "queue">,
  task: AttemptClaim,
  failure: Failure,
  wait: Wait | null = null,
): Promise<boolean> {
  return context.db
    .transaction()
    .execute((trx) => postponeAttempt(context, trx, "transcripts", task, { failure, wait }));
}

type TranscriptEnd =
  | { status: "Completed"; lines: readonly TranscriptLine[]; origin: TranscriptOrigin; language: string | null }
  | { status: "Failed"; reason: string }
  | { status: "Cancelled" };

/** Wakes the videos that wait for it. Changes nothing for a stale attempt. Corrects the workspace's names. */
export async function endTranscript(
  context: Pick<Context, "db" | "queue">,
  attemptRef: AttemptRef,
  end: TranscriptEnd,
): Promise<void> {
  const names = end.status === "Completed" ? await readTranscriptNames(context) : [];
  await context.db.transaction().execute(async (trx) => {
    const named = end.status === "Completed" ? { ...end, lines: correctNames(end.lines, names) } : end;
    if (await endAttempt(trx, attemptRef, named)) await wakeVideos(context, trx, attemptRef.taskId);
  });
}

/** Fails a transcript whose last attempt was lost with its worker, unless it has ended or was requested again. */
export async function endLostTranscript(
  context: Pick<Context, "db" | "queue">,
  { taskId }: Pick<TranscriptTask, "taskId">,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const open = await trx
      .selectFrom("transcripts")
      .select("attempts")
      .where("id", "=", taskId)
      .where("status", "in", ["Queued", "Processing"])
      .forUpdate()
      .executeTakeFirst();
    if (!open || (await context.queue.transcripts.isOpen(trx, taskId))) return;
    const reason = "The worker was killed during the last attempt to transcribe this video.";
    await endAttempt(trx, { taskId, attempt: open.attempts }, { status: "Failed", reason });
    await wakeVideos(context, trx, taskId);
  });
}

async function endAttempt(
  trx: Transaction<Tables>,
  { taskId, attempt }: AttemptRef,
  end: TranscriptEnd,
): Promise<boolean> {
  const done =
    end.status === "Completed"
      ? { lines: JSON.stringify(end.lines), origin: end.origin, spoken_language: end.language, progress: 100 }
      : { progress: 0 };
  const { numUpdatedRows } = await trx
    .updateTable("transcripts")
    .set({
      ...NOT_WAITING,
      ...done,
      status: end.status,
      stage: null,
      error_message: end.status === "Failed" ? end.reason : null,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", taskId)
    .where("status", "in", ["Queued", "Processing"])
    .where("attempts", "<=", attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function wakeVideos(
  { queue }: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  transcriptId: string,
): Promise<void> {
  const waiting = await trx
    .selectFrom("job_videos")
    .select("id")
    .where("id", "in", trx.selectFrom("transcript_uses").select("video_id").where("transcript_id", "=", transcriptId))
    .where("status", "=", "Queued")
    .where("waiting_since", "is not", null)
    .where("waits_for", "is", null)
    // Skips locked rows, so it cannot deadlock with a cancel. A skipped video checks again by itself.
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  if (waiting.length === 0) return;
  const woken = await queue.videos.wake(
    trx,
    waiting.map(({ id }) => id),
  );
  await trx
    .updateTable("job_videos")
    .set({ ...NOT_WAITING, ...reasonColumns("videos", null), updated_at: sql<string>`now()` })
    .where("id", "=", sql<string>`any(${woken}::uuid[])`)
    .where("status", "=", "Queued")
    .execute();
}

/** Wakes a video that starts to wait just as its last transcript ends. Call it in the transaction that starts the wait. */
export async function wakeIfTranscribed(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  videoId: string,
): Promise<void> {
  const used = await trx
    .selectFrom("transcript_uses")
    .innerJoin("transcripts", "transcripts.id", "transcript_id")
    .select(["transcripts.id", "transcripts.status"])
    .where("video_id", "=", videoId)
    // Waits for a concurrent end, which may not have seen that this video is waiting.
    .forShare("transcripts")
    .execute();
  if (used.some(({ status }) => status === "Queued" || status === "Processing")) return;
  for (const { id } of used.slice(0, 1)) await wakeVideos(context, trx, id);
}

/** Returns attempts whose transcript has ended, was deleted, belongs to a later attempt, or is not needed any longer. */
export async function findStoppedTranscripts<Task extends { taskId: string; attempt: number }>(
  { db }: Pick<Context, "db">,
  tasks: readonly Task[],
): Promise<Set<Task>> {
  const running = await db
    .selectFrom("transcripts")
    .select(["id", "attempts"])
    .where(
      "id",
      "in",
      tasks.map(({ taskId }) => taskId),
    )
    .where("status", "in", ["Queued", "Processing"])
    .where(sql<boolean>`exists (${IS_NEEDED})`)
    .execute();
  const attempts = new Map(running.map((row) => [row.id, row.attempts]));
  return new Set(tasks.filter(({ taskId, attempt }) => (attempts.get(taskId) ?? Infinity) > attempt));
}
