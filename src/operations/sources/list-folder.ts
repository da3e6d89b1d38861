import { parseFolderLink } from "#contract/sources/links.ts";
import type { ListedFile } from "#contract/sources/preflight.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { readAcceptedSources } from "./accepted-sources.ts";
import { readSourceAccess } from "./source-access.ts";

/** Null unless the text is a folder's link. Throws like the host's `list`. */
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
