import { setTimeout as delay } from "node:timers/promises";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../../context.ts";

const POLL_INTERVAL_MS = 250;

/** Throws ClipmillError "not_found". */
export async function readCaptionBatch(context: Pick<Context, "db">, batchId: string): Promise<AnalyzeVideosResponse> {
  const tasks = await context.db
    .selectFrom("caption_tasks")
    .select(["link", "name", "status", "stage", "caption", "error_message"])
    .where("batch_id", "=", batchId)
    .orderBy("position")
    .execute();
  if (tasks.length === 0) throw new ClipmillError("not_found", "These videos are no longer being analyzed.");
  return {
    captions: tasks.map((task) => task.caption ?? ""),
    results: tasks.map(({ error_message: error, ...task }) => ({ ...task, error })),
    batchId,
    isDone: tasks.every(({ status }) => status !== "Queued" && status !== "Processing"),
  };
}

/** Throws ClipmillError "cancelled" when the signal aborts; the batch continues. */
export async function waitForCaptionBatch(
  context: Pick<Context, "db">,
  batchId: string,
  signal: AbortSignal,
): Promise<AnalyzeVideosResponse> {
  for (;;) {
    const batch = await readCaptionBatch(context, batchId);
    if (batch.isDone) return batch;
    await delay(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {
      throw new ClipmillError("cancelled", "The connection was closed. The captions are still being generated.");
    });
  }
}
