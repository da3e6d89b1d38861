import type { Selectable } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { isConnected, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import type { Tables } from "#database/tables.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../../context.ts";
import { openRemoteStore } from "../../connections/open-remote-store.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { readSourceAccess } from "../../sources/source-access.ts";
import { copyToLibrary } from "../local/copy-to-library.ts";
import { listLocalFiles } from "../local/list-local-files.ts";
import { openRemoteFiles } from "../remote/remote-files.ts";
import { type WatchContext, WATCHER } from "../watch-context.ts";
import type { ListedFile } from "./listed-file.ts";
import type { WatchedFiles } from "./watched-files.ts";

type Folder = Pick<Selectable<Tables["watch_folders"]>, "kind" | "place" | "connection_id">;

/** Opens a folder until `signal` aborts, without reading it yet; the caller disposes of it. */
export function openFiles(context: WatchContext, folder: Folder, signal: AbortSignal): WatchedFiles {
  const { kind, place, connection_id: connectionId } = folder;
  const library = { ...context, actor: WATCHER };
  if (isConnected(kind)) {
    const open = () => openRemoteStore(context, requireConnection(connectionId), signal);
    return openRemoteFiles(library, { kind, place, open, intake: context.uploads, signal });
  }
  const nothing = { [Symbol.asyncDispose]: async () => {} };
  if (kind !== "local") return { ...nothing, list: () => listLinked(context, place, signal), copy: null };
  const { uploads: intake, localRoots: roots } = context;
  return {
    ...nothing,
    list: () => listLocalFiles(roots, place),
    copy: (file) => copyToLibrary(library, { intake, roots, signal }, { place, ...file }),
  };
}

function requireConnection(id: string | null): string {
  if (id !== null) return id;
  throw new ClipmillError("bad_key", "Its connection was removed. Choose another one.");
}

async function listLinked(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  place: string,
  signal: AbortSignal,
): Promise<ListedFile[]> {
  const folder = parseFolderLink(place, await readAcceptedSources(context));
  const host = folder && isHttpHost(folder.host) ? sourceHostOf(folder.host) : null;
  if (!folder || !host?.listEntries) {
    throw new ClipmillError("bad_key", "Links of this host are turned off. Turn them on in Settings.");
  }
  const access = { ...(await readSourceAccess(context)), get: createSourceGet({ signal }) };
  const entries = await host.listEntries(folder, access, WATCH_LIMITS.files);
  return entries.map((entry) => Object.assign(entry, { leftOut: null }));
}
