import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ServerEnv } from "../server-context.ts";

/** Errors that operators can meet; others are faults of a program. */
const SENTENCES: Record<number, string> = {
  404: "This upload no longer exists. Start it again.",
  409: "The bytes do not start at the upload's current offset. Request the offset with HEAD, then send the rest.",
  410: "This upload has expired. Start it again.",
  413: "The request has more bytes than the upload announced.",
};

/** Formats the tus server's errors. Throws `error` if it is our own. */
export async function answerTusError(c: Context<ServerEnv>, error: unknown, response: Response): Promise<Response> {
  c.header("Tus-Resumable", "1.0.0");
  if (response.status === 412) c.header("Tus-Version", "1.0.0");
  // The rest of a rejected body is not read.
  c.header("Connection", "close");
  if (error instanceof Error && !("status_code" in error)) throw error;
  const sentence = SENTENCES[response.status] ?? (await response.text()).trim();
  return c.json({ error: sentence }, response.status as ContentfulStatusCode);
}
