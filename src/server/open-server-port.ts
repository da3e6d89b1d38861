import { MAX_HEAD_MS, openPort, type Port } from "#http/open-port.ts";
import { answerStarting } from "./pages/answer-starting.ts";
import { endSlowRequests } from "./requests/end-slow-requests.ts";

/** Enough for 2 GB over a slow connection; uploads detect a disconnected sender sooner. */
const MAX_UPLOAD_MS = 6 * 3_600_000;
const MAX_REQUEST_MS = 300_000;

export type ServerPortOptions = {
  host: string;
  port: number;
  trustedProxies?: string[] | undefined;
  sendsMail: boolean;
  /** Excludes uploads; five minutes by default. */
  maxRequestMs?: number | undefined;
};

/** Responds that Clipmill is starting until the app is served. Throws like openPort. */
export async function openServerPort(options: ServerPortOptions): Promise<Port> {
  const { host, port, trustedProxies, sendsMail, maxRequestMs = MAX_REQUEST_MS } = options;
  const opened = await openPort(
    {
      host,
      port,
      setting: "PORT",
      trustedProxies,
      maxRequestMs: MAX_UPLOAD_MS,
      maxHeadMs: Math.min(MAX_HEAD_MS, maxRequestMs),
    },
    answerStarting(sendsMail),
  );
  endSlowRequests(opened.http, "/uploads", maxRequestMs);
  return opened;
}
