import { sql } from "kysely";
import { expect, it } from "vitest";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { createAccount } from "../../accounts/create-account.ts";
import type { Context } from "../../context.ts";
import { releaseWaiting } from "../../hosts/release-waiting.ts";
import { saveServiceKey } from "../../settings/service-key.ts";
import { cancelCaptionBatch, retryCaptionBatch } from "./retry-caption-batch.ts";
import { startCaptionBatch } from "./start-caption-batch.ts";

const releaseAll = (context: Context) =>
  context.db.transaction().execute((trx) => releaseWaiting(context, trx, "openai"));

it.each([
  ["its host's response", releaseAll],
  ["a retry", retryCaptionBatch],
] as const)("cancels waiting videos at the same time as %s wakes them", async (_, wakeAll) => {
  await using worker = await openTestWorker({ openDatabase: openPostgresDatabase });
  const { context } = worker;
  await saveServiceKey(context, "openai_key", "sk-a-key-of-some-length");
  const account = await createAccount(context, { email: "operator@clipmill.local", password: "long enough here" });
  const batchId = await startCaptionBatch(context, ["https://drive.google.com/file/d/abc/view"], account.id);
  // A retry wakes only tasks that wait for a time.
  const waitsFor = wakeAll === releaseAll ? "openai" : null;
  await sql`update caption_tasks set waiting_since = now(), waits_for = ${waitsFor}`.execute(context.db);

  let cancelling: Promise<void> | undefined;
  const wake: Context["queue"]["captions"]["wake"] = async (...args) => {
    const woken = await context.queue.captions.wake(...args);
    cancelling ??= cancelCaptionBatch(context, batchId);
    cancelling.catch(() => {});
    await expect.poll(() => countWaitingLocks(context), { timeout: 10_000 }).toBeGreaterThan(0);
    return woken;
  };
  await wakeAll({ ...context, queue: { ...context.queue, captions: { ...context.queue.captions, wake } } }, batchId);
  await cancelling;
  const { status } = await context.db.selectFrom("caption_tasks").select("status").executeTakeFirstOrThrow();
  expect(status).toBe("Cancelled");
});

async function countWaitingLocks({ db }: Context): Promise<number> {
  const { rows } = await sql`select from pg_locks where not granted`.execute(db);
  return rows.length;
}
