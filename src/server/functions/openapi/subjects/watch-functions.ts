import { z } from "zod";
import {
  addWatchFolderSchema,
  changeWatchFolderSchema,
  listWatchFilesSchema,
  runFileAgainSchema,
  watchFolderIdSchema,
} from "#contract/watch-folders/watch-requests.ts";
import type { CallDoc, FunctionDocs } from "../function-doc.ts";

const action = (name: string) => ({ action: z.literal(name) });

function ofFolder(name: string, answers: string, summary: string): CallDoc {
  return { name, summary, takes: watchFolderIdSchema.extend(action(name)), answers };
}

export const WATCH_FUNCTIONS: FunctionDocs = {
  "/functions/v1/watch-folders": {
    summary: "Manages folders whose new files become jobs.",
    calls: [
      {
        name: "list",
        summary: "Lists all watch folders, and the folders on the server that can be watched.",
        takes: z.object(action("list")),
        answers: "WatchFoldersResponse",
      },
      {
        name: "create",
        summary: "Adds a watch folder.",
        takes: addWatchFolderSchema.extend(action("create")),
        answers: "WatchFolderResponse",
      },
      {
        name: "update",
        summary: "Replaces the fields of a watch folder.",
        takes: changeWatchFolderSchema.extend(action("update")),
        answers: "WatchFolderResponse",
      },
      ofFolder("delete", "SuccessResponse", "Deletes a watch folder; its jobs and their files stay."),
      ofFolder("pause", "WatchFolderResponse", "Pauses a watch folder."),
      ofFolder("resume", "WatchFolderResponse", "Resumes a watch folder."),
      ofFolder("check-now", "WatchFolderResponse", "Checks a watch folder now."),
      {
        name: "files",
        summary: "Lists the files of a watch folder, 100 at a time, with the job of each or why it was left out.",
        takes: listWatchFilesSchema.extend(action("files")),
        answers: "WatchFilesResponse",
      },
      {
        name: "run-again",
        summary: "Creates another job from a file.",
        takes: runFileAgainSchema.extend(action("run-again")),
        answers: "SuccessResponse",
      },
    ],
  },
};
