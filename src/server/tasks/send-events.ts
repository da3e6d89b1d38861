import { sendMail, sendToWebhook } from "#operations/outgoing/send-event.ts";
import { enqueuePending } from "#operations/outgoing/write-event.ts";
import type { ServerContext } from "../server-context.ts";
import { workOnServer } from "./work-on-server.ts";

/** Per server; the queue limits the attempts of each webhook. There are at most 20 webhooks. */
const MAX_WEBHOOK_ATTEMPTS = 80;
const MAX_MAILS = 4;

type Sending = Pick<ServerContext, "db" | "queue" | "secrets" | "privateWebhooks" | "mailer" | "publicUrl" | "log">;

/** Any number of servers share the events; they take over those of a killed one. */
export async function startSending(server: Sending): Promise<{ stop(): Promise<void> }> {
  const { queue, mailer, publicUrl } = server;
  const failure = "an event could not be sent; retrying";
  await enqueuePending(server);
  await using stack = new AsyncDisposableStack();
  const webhooks = await workOnServer(server, queue.webhooks, {
    concurrency: MAX_WEBHOOK_ATTEMPTS,
    idOf: (task) => task.sendingId,
    handle: (task) => sendToWebhook(server, task),
    failure,
  });
  stack.defer(() => webhooks.stop());
  if (mailer && publicUrl) {
    const mails = await workOnServer(server, queue.mails, {
      concurrency: MAX_MAILS,
      idOf: (task) => task.sendingId,
      handle: (task) => sendMail(server, task, { mailer, publicUrl }),
      failure,
    });
    stack.defer(() => mails.stop());
  }
  const running = stack.move();
  return { stop: () => running.disposeAsync() };
}
