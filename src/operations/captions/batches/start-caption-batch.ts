import { setTimeout as delay } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import { type AnalyzeVideosResponse, NO_VALID_LINKS } from "#contract/captions.ts";
import { ClipmillError } from "#contract/errors.ts";
import { parseVideoLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { holdLibraryFiles } from "../../library/library-uses.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { requireCaptionModel } from "../generate-captions.ts";

/** Browsers keep their session for a day, so older batches are never requested. */
const KEPT = sql<string>`now() - interval '7 days'`;

/**
 * Returns the account's running batch of the same links, if any. An invalid line becomes a failing video. Throws
 * ClipmillError "invalid" without a valid link or a key.
 */
export async function startCaptionBatch(
  context: Pick<Context, "db" | "queue" | "secrets" | "openAi" | "hosts"> & ActorContext,
  links: readonly string[],
  accountId: string,
): Promise<string> {
  const accepted = await readAcceptedSources(context);
  if (!links.some((link) => parseVideoLink(link, accepted) !== null)) {
    throw new ClipmillError("invalid", NO_VALID_LINKS.description, { title: NO_VALID_LINKS.title });
  }
  // Without a key, all videos would be fetched for nothing.
  await requireCaptionModel(context, "vision");
  const digest = sha256Of(JSON.stringify([accountId, links]));
  return context.db.transaction().execute(async (trx) => {
    // Two concurrent requests must start one batch.
    await sql`select pg_advisory_xact_lock(hashtextextended(${digest}, 0))`.execute(trx);
    const running = await findRunning(trx, digest);
    if (running) return running;
    await holdLibraryFiles(trx, links);
    await trx.deleteFrom("caption_batches").where("created_at", "<", KEPT).execute();
    const batch = await trx
      .insertInto("caption_batches")
      .values({ account_id: accountId, links_digest: digest })
      .returning("id")
      .executeTakeFirstOrThrow();
    const tasks = await trx
      .insertInto("caption_tasks")
      .values(links.map((link, position) => ({ batch_id: batch.id, position, link })))
      .returning(["id", "position"])
      .execute();
    await context.queue.captions.enqueue(
      trx,
      tasks.toSorted((a, b) => a.position - b.position).map(({ id }) => ({ taskId: id, batchId: batch.id })),
    );
    await writeAudit(trx, context.actor, { action: "captions.start", subjects: [batch.id] });
    return batch.id;
  });
}

async function findRunning(trx: Transaction<Tables>, digest: string): Promise<string | null> {
  const batch = await trx
    .selectFrom("caption_batches")
    .innerJoin("caption_tasks", "caption_tasks.batch_id", "caption_batches.id")
    .select("caption_batches.id")
    .where("links_digest", "=", digest)
    .where("status", "in", ["Queued", "Processing"])
    .executeTakeFirst();
  return batch?.id ?? null;
}

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
