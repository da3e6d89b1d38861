import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import type { EventBody } from "#contract/webhooks/webhooks.ts";
import type { ReceivedEvent } from "./twins/webhook-receiver.ts";

/**
 * Throws if the unmodified package `standardwebhooks` does not accept the request at the time that it names; with `now`, at that time. Returns
 * the event.
 */
export function verifyEvent(secret: string, { headers, body }: ReceivedEvent, now?: Date): EventBody {
  const at = now ?? new Date(Number(headers["webhook-timestamp"]) * 1_000);
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  try {
    return new Webhook(secret).verify(body, headers) as EventBody;
  } finally {
    vi.useRealTimers();
  }
}
