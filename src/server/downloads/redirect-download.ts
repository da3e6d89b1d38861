import type { Context } from "hono";
import type { Download } from "#operations/downloads/download.ts";
import type { FileAddresses } from "#storage/storage.ts";
import type { ServerEnv } from "../server-context.ts";
import { attachment } from "./answer-download.ts";

const LONGEST_VALID_SECONDS = 300;

/**
 * Sends the client on to where the file is kept, never for longer than the link that it came with; parts are asked for
 * there. Null for what has to be streamed: a download that is not one file, or a link in its last second.
 */
export async function redirectDownload(
  c: Context<ServerEnv>,
  addresses: FileAddresses | null,
  { storageKey, fileName, type }: Download,
  { isAttachment }: { isAttachment: boolean },
): Promise<Response | null> {
  const linkSeconds = Math.floor(Number(c.req.query("expires")) - Date.now() / 1000);
  // The address opens to GET alone, as its method is signed too.
  if (addresses === null || storageKey === null || c.req.method !== "GET" || linkSeconds < 1) return null;
  const address = await addresses.of(storageKey, {
    type,
    disposition: isAttachment ? attachment(fileName) : null,
    seconds: Math.min(linkSeconds, LONGEST_VALID_SECONDS),
  });
  c.header("Cache-Control", "private, no-store");
  return c.redirect(address, 302);
}
