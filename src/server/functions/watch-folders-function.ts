import { SuccessResponse } from "#contract/calls.ts";
import {
  WatchFilesResponse,
  WatchFolderResponse,
  WatchFoldersResponse,
} from "#contract/watch-folders/watch-folders.ts";
import {
  addWatchFolderSchema,
  changeWatchFolderSchema,
  listWatchFilesSchema,
  runFileAgainSchema,
  watchFolderIdSchema,
} from "#contract/watch-folders/watch-requests.ts";
import { addWatchFolder } from "#operations/watch-folders/add-watch-folder.ts";
import {
  changeWatchFolder,
  checkWatchFolderNow,
  pauseWatchFolder,
  removeWatchFolder,
  resumeWatchFolder,
} from "#operations/watch-folders/change-watch-folder.ts";
import { listWatchFiles, listWatchFolders } from "#operations/watch-folders/list-watch-folders.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { runFileAgain } from "#operations/watch-folders/run-file-again.ts";
import { type CallFunction, defineCall, SUCCESS, type Scope } from "./define-call.ts";

/** A connection can read more than jobs do. */
const scopeOfFolder: Scope = ({ connection_id: connection }) =>
  (connection ?? null) === null ? "jobs:write" : ["jobs:write", "settings"];

export const WATCH_FOLDERS_FUNCTION: CallFunction = {
  path: "watch-folders",
  summary: "Manages folders whose new files become jobs.",
  // They create jobs.
  scope: scopeOfFolder,
  query: "action",
  unknown: (actions) => `action: must be one of ${actions.join(", ")}`,
  calls: [
    defineCall({
      name: "list",
      summary: "Lists all watch folders, and the folders on the server that can be watched.",
      scope: "jobs:read",
      isRead: true,
      answers: WatchFoldersResponse,
      run: async (context) => ({
        data: await listWatchFolders(context),
        local_folders: await listLocalNames(context.localRoots),
      }),
    }),
    defineCall({
      name: "create",
      summary: "Adds a watch folder.",
      takes: addWatchFolderSchema,
      answers: WatchFolderResponse,
      runUnchecked: async (context, body) => ({
        data: await addWatchFolder(context, body, context.operator.account.id),
      }),
    }),
    defineCall({
      name: "update",
      summary: "Replaces the fields of a watch folder.",
      takes: changeWatchFolderSchema,
      answers: WatchFolderResponse,
      runUnchecked: async (context, body) => ({ data: await changeWatchFolder(context, body) }),
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a watch folder; its jobs and their files stay.",
      takes: watchFolderIdSchema,
      answers: SuccessResponse,
      run: async (context, request) => {
        await removeWatchFolder(context, request);
        return SUCCESS;
      },
    }),
    defineCall({
      name: "pause",
      summary: "Pauses a watch folder.",
      takes: watchFolderIdSchema,
      answers: WatchFolderResponse,
      run: async (context, request) => ({ data: await pauseWatchFolder(context, request) }),
    }),
    defineCall({
      name: "resume",
      summary: "Resumes a watch folder.",
      takes: watchFolderIdSchema,
      answers: WatchFolderResponse,
      run: async (context, request) => ({ data: await resumeWatchFolder(context, request) }),
    }),
    defineCall({
      name: "check-now",
      summary: "Checks a watch folder now.",
      takes: watchFolderIdSchema,
      answers: WatchFolderResponse,
      run: async (context, request) => ({ data: await checkWatchFolderNow(context, request) }),
    }),
    defineCall({
      name: "files",
      summary: "Lists the files of a watch folder, 100 at a time, with the job of each or why it was left out.",
      scope: "jobs:read",
      isRead: true,
      takes: listWatchFilesSchema,
      answers: WatchFilesResponse,
      run: async (context, request) => ({ data: await listWatchFiles(context, request) }),
    }),
    defineCall({
      name: "run-again",
      summary: "Creates another job from a file.",
      takes: runFileAgainSchema,
      answers: SuccessResponse,
      run: async (context, request) => {
        await runFileAgain(context, request);
        return SUCCESS;
      },
    }),
  ],
};
