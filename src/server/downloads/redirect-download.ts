import type { Context } from "hono";
import type { Download } from "#operations/downloads/download.ts";
import type { FileAddresses } from "#storage/storage.ts";
import type { ServerEnv } from "../server-context.ts";
import { attachment } from "./answer-download.ts";

const MAX_VALID_SECONDS = 300;

/**
 * Redirects to the file's address in storage, valid for at most 300 s and no longer than the link. Returns null if the
 * download must be streamed: no address, not a single file, not a GET, or the link's last second.
 */
export async function redirectDownload(
  c: Context<ServerEnv>,
  addresses: FileAddresses | null,
  { storageKey, fileName, type }: Download,
  { isAttachment }: { isAttachment: boolean },
): Promise<Response | null> {
  const linkSeconds = Math.floor(Number(c.req.query("expires")) - Date.now() / 1000);
  // The address's signature includes the method.
  if (addresses === null || storageKey === null || c.req.method !== "GET" || linkSeconds < 1) return null;
  const address = await addresses.of(storageKey, {
    type,
    disposition: isAttachment ? attachment(fileName) : null,
    seconds: Math.min(linkSeconds, MAX_VALID_SECONDS),
  });
  c.header("Cache-Control", "private, no-store");
  return c.redirect(address, 302);
}
