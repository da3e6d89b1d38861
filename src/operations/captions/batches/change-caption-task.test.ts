import { sql } from "kysely";
import { expect, it } from "vitest";
import { testFailure } from "#tests/support/test-failure.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { saveServiceKey } from "../../settings/service-key.ts";
import { claimCaptionTask, endLostCaptionTask, postponeCaptionTask } from "./change-caption-task.ts";
import { readCaptionBatch, startCaptionBatch } from "./start-caption-batch.ts";
import { retryCaptionBatch } from "./retry-caption-batch.ts";

it("fails a video whose last attempt was lost only once, even if the loss is reported again after a retry", async () => {
  await using worker = await openTestWorker();
  const { context } = worker;
  await saveServiceKey(context, "openai_key", "sk-a-key-of-some-length");
  const account = await createAccount(context, { email: "operator@clipmill.local", password: "long enough here" });
  const batchId = await startCaptionBatch(context, ["https://drive.google.com/file/d/abc/view"], account.id);
  const { id: taskId } = await context.db.selectFrom("caption_tasks").select("id").executeTakeFirstOrThrow();
  const status = async () => (await readCaptionBatch(context, batchId)).results[0]!.status;

  await claimCaptionTask(context, { taskId, batchId }, 3, ["openai"]);
  await postponeCaptionTask(context, { taskId, attempt: 3 }, testFailure("The network is down."));
  // Killed before the last attempt's first write: the video's row never got its number.
  await sql`update pgboss.job set state = 'failed' where id = ${taskId}`.execute(context.db);
  expect(await endLostCaptionTask(context, { taskId }, "Lost.")).toBe(true);
  expect(await status()).toBe("Failed");
  await retryCaptionBatch(context, batchId);
  expect(await endLostCaptionTask(context, { taskId }, "Lost.")).toBe(false);
  expect(await status()).toBe("Queued");
});
