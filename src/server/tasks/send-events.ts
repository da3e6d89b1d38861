import type { Database } from "#database/open-database.ts";
import { enqueuePending } from "#operations/outgoing/enqueue-pending.ts";
import { sendMail, sendToWebhook } from "#operations/outgoing/send-event.ts";
import type { ServerContext } from "../server-context.ts";

/** Per server; the queue limits the attempts of each webhook. There are at most 20 webhooks. */
const MAX_WEBHOOK_ATTEMPTS = 80;
const MAX_MAILS = 4;

type Sending = Pick<ServerContext, "db" | "queue" | "secrets" | "privateWebhooks" | "mailer" | "publicUrl" | "log">;

/** Any number of servers share the events; they take over those of a killed one. */
export async function startSending(
  server: Sending,
  database: Pick<Database, "isEmbedded">,
): Promise<{ stop(): Promise<void> }> {
  const { queue, log } = server;
  const mail = server.mailer && server.publicUrl ? { mailer: server.mailer, publicUrl: server.publicUrl } : null;
  const running = new Set<string>();
  /** The queue repeats failed attempts. */
  const withLog = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!isStopping) log.error({ err: error }, "an event could not be sent; retrying");
      throw error;
    }
  };
  let isStopping = false;
  if (database.isEmbedded) await queue.releaseClaimed("server");
  await enqueuePending(server);
  const webhooks = await queue.webhooks.work(MAX_WEBHOOK_ATTEMPTS, async (task) => {
    running.add(task.sendingId);
    await withLog(() => sendToWebhook(server, task)).finally(() => running.delete(task.sendingId));
  });
  const mails = mail && (await queue.mails.work(MAX_MAILS, (task) => withLog(() => sendMail(server, task, mail))));
  return {
    async stop() {
      isStopping = true;
      webhooks.setPaused(true);
      mails?.setPaused(true);
      for (const id of running) queue.handBack(id);
      await Promise.all([webhooks.settled(), mails?.settled()]);
    },
  };
}
