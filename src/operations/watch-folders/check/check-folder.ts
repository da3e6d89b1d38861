import type { Selectable } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { isConnected, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import type { Tables } from "#database/tables.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Claimed, FolderTask } from "#queue/open-queue.ts";
import { openRemoteStore } from "../../connections/open-connection.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources, readSourceAccess } from "../../sources/prepare-sources.ts";
import { copyToLibrary } from "../local/copy-to-library.ts";
import { listLocalFiles } from "../local/list-local-files.ts";
import { openRemoteFiles } from "../remote/remote-files.ts";
import { type WatchContext, WATCHER } from "../watch-context.ts";
import { judgeFile, type ListedFile, type WatchedFiles } from "./compare-listing.ts";
import { pauseItself } from "./pause-folder.ts";
import { recordListing } from "./record-listing.ts";
import { abandonCheck, endCheck, startCheck } from "./schedule-checks.ts";
import { takeFiles } from "./take-files.ts";

const UNEXPECTED = "Clipmill could not check this folder. See the server's log.";

/**
 * Checks a folder unless it is paused, and schedules the next check. Records errors of the folder or its host instead of
 * throwing; a missing connection or key pauses the folder. Records and throws unexpected errors. Throws when the task's
 * signal aborts, so that the task is put back. Concurrent checks do no harm.
 */
export async function checkFolder(context: WatchContext, task: Claimed<FolderTask>): Promise<void> {
  const folder = await startCheck(context, task);
  if (!folder) return;
  const { id, settle_seconds: settle, interval_seconds: interval } = folder;
  const { signal } = task;
  try {
    await using files = openFiles(context, folder, signal);
    const listed = await files.list();
    await recordListing(context, id, listed.map(judgeFile));
    const isWaiting = await takeFiles(context, folder, { copy: files.copy, listed }, signal);
    // Looks again as soon as a waiting file can have settled.
    const waitSeconds = isWaiting ? Math.min(settle, interval) : interval;
    await endCheck(context, task, { last_fault: null, waitSeconds });
  } catch (error) {
    if (signal.aborted) {
      await abandonCheck(context, id);
      throw error;
    }
    const message = error instanceof ClipmillError ? error.message : UNEXPECTED;
    if (error instanceof ClipmillError && error.code === "bad_key") {
      await context.db.transaction().execute((trx) => pauseItself(trx, id, message));
    }
    await endCheck(context, task, { last_fault: message, waitSeconds: interval });
    if (!(error instanceof ClipmillError)) throw error;
  }
}

type Folder = Pick<Selectable<Tables["watch_folders"]>, "kind" | "place" | "connection_id">;

/** Opens a folder until `signal` aborts, without reading it yet; the caller disposes of it. */
function openFiles(context: WatchContext, folder: Folder, signal: AbortSignal): WatchedFiles {
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
    copy: (file, use = "video") => copyToLibrary(library, { intake, roots, signal }, { place, use, ...file }),
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
