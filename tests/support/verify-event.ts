import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import type { EventBody } from "#contract/webhooks/webhooks.ts";
import type { ReceivedEvent } from "./twins/webhook-receiver.ts";

/**
 * Verifies the request with the unmodified package `standardwebhooks`, at the time in its headers or at `now`. Throws
 * if it is rejected.
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
