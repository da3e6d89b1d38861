import { parseFolderLink } from "#contract/sources/links.ts";
import type { ListedFile } from "#contract/sources/preflight.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { readAcceptedSources } from "./accepted-sources.ts";
import { readSourceAccess } from "./source-access.ts";

/** Returns the files of a folder's link, or null for any other text. Throws ClipmillError as the host's `list` does. */
export async function listFolder(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  text: string,
  signal: AbortSignal,
): Promise<ListedFile[] | null> {
  const folder = parseFolderLink(text, await readAcceptedSources(context));
  if (!folder || !isHttpHost(folder.host)) return null;
  const access = await readSourceAccess(context);
  return (await sourceHostOf(folder.host).list?.(folder, { ...access, get: createSourceGet({ signal }) })) ?? null;
}
