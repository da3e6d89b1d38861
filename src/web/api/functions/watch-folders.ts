/** All calls throw CallError. */
import type {
  WatchFile,
  WatchFileState,
  WatchFilesResponse,
  WatchFolder,
  WatchFolderResponse,
  WatchFoldersResponse,
} from "#contract/watch-folders/watch-folders.ts";
import { callFunction } from "./call-function.ts";

export type WatchFolderDraft = Pick<
  WatchFolder,
  | "name"
  | "kind"
  | "place"
  | "connection_id"
  | "job_name"
  | "grouping"
  | "interval_seconds"
  | "settle_seconds"
  | "existing"
> & { preset_id: string };

export function listWatchFolders(signal?: AbortSignal): Promise<WatchFoldersResponse> {
  return callFunction("watch-folders", { action: "list" }, { signal });
}

/** Creates a watch folder, or updates `opened`, whose version must be current. */
export async function saveWatchFolder(draft: WatchFolderDraft, opened: WatchFolder | null): Promise<WatchFolder> {
  const to = opened ? { action: "update", id: opened.id, version: opened.version } : { action: "create" };
  return (await callFunction<WatchFolderResponse>("watch-folders", { ...to, ...draft })).data;
}

export async function controlWatchFolder(action: "pause" | "resume" | "check-now", id: string): Promise<WatchFolder> {
  return (await callFunction<WatchFolderResponse>("watch-folders", { action, id })).data;
}

export async function deleteWatchFolder(id: string): Promise<void> {
  await callFunction("watch-folders", { action: "delete", id });
}

/** Lists the newest first, after the file `after`. */
export async function listWatchFiles(
  of: { id: string; state: WatchFileState | null; after: string | null },
  signal?: AbortSignal,
): Promise<WatchFile[]> {
  return (await callFunction<WatchFilesResponse>("watch-folders", { action: "files", ...of }, { signal })).data;
}

export async function runWatchFileAgain(fileId: string): Promise<void> {
  await callFunction("watch-folders", { action: "run-again", file_id: fileId });
}
