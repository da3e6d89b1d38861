import type { Context } from "../context.ts";
import { enqueueSendings } from "./write-event.ts";

/** For events of earlier versions, and of their backups, which had no tasks. Has no effect on others. */
export async function enqueuePending(context: Pick<Context, "db" | "queue">): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const pending = await trx
      .selectFrom("outgoing_deliveries")
      .select(["id", "webhook_id as webhookId", "due_at as dueAt"])
      .where("status", "=", "pending")
      .orderBy("due_at")
      .execute();
    await enqueueSendings(context, trx, pending);
  });
}
