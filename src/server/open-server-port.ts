import { LONGEST_HEAD_MS, openPort, type Port } from "#http/open-port.ts";
import { answerStarting } from "./answer-starting.ts";
import { endSlowRequests } from "./end-slow-requests.ts";

/** Two gigabytes on a slow line; the uploads themselves notice sooner when a sender is gone. */
const LONGEST_UPLOAD_MS = 6 * 3_600_000;
/** How long any other request may take to come in. */
const LONGEST_REQUEST_MS = 300_000;

export type ServerPortOptions = {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Proxies on other machines that are believed about whom they speak for: addresses and networks. */
  trustedProxies?: string[] | undefined;
  /** Whether this installation sends mail, which /health says. */
  sendsMail: boolean;
  /** How long a request other than an upload may take to come in; five minutes unless given. */
  longestRequestMs?: number | undefined;
};

/** Opens the server's port, which answers that Clipmill is starting until the app is served. Throws as openPort. */
export async function openServerPort(options: ServerPortOptions): Promise<Port> {
  const { host, port, trustedProxies, sendsMail, longestRequestMs = LONGEST_REQUEST_MS } = options;
  const opened = await openPort(
    {
      host,
      port,
      setting: "PORT",
      trustedProxies,
      longestRequestMs: LONGEST_UPLOAD_MS,
      longestHeadMs: Math.min(LONGEST_HEAD_MS, longestRequestMs),
    },
    answerStarting(sendsMail),
  );
  endSlowRequests(opened.http, "/uploads", longestRequestMs);
  return opened;
}
