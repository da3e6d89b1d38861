import { ChangeLibraryFileResponse, DeleteLibraryFilesResponse, LibraryResponse } from "#contract/calls.ts";
import { changeLibraryFile, changeLibraryFileSchema } from "#operations/library/change-library-file.ts";
import {
  deleteLibraryFile,
  deleteLibraryFiles,
  deleteLibraryFileSchema,
  deleteLibraryFilesSchema,
} from "#operations/library/delete-library-files.ts";
import { listLibrary } from "#operations/library/list-library.ts";
import { type CallFunction, defineCall, PRESENT } from "./define-call.ts";

/** /uploads adds files. */
export const LIBRARY_FUNCTION: CallFunction = {
  path: "library",
  summary: "Lists, changes or deletes the files of the library. POST /uploads adds one.",
  scope: "library",
  unknown: "method: must be GET, PATCH or DELETE",
  calls: [
    defineCall({
      name: "list",
      summary: "Lists all files, newest first.",
      when: { method: "GET" },
      isRead: true,
      answers: LibraryResponse,
      run: (context) => listLibrary(context),
    }),
    defineCall({
      name: "change",
      summary: "Changes the name or tags of a file.",
      when: { method: "PATCH" },
      takes: changeLibraryFileSchema,
      answers: ChangeLibraryFileResponse,
      run: async (context, request) => ({ data: await changeLibraryFile(context, request) }),
    }),
    defineCall({
      name: "delete-all",
      summary:
        "Deletes files and lists the remaining ones. Files in use by an unfinished job, caption batch, preset, brand kit or audio set are kept: `held` lists them, with what uses them.",
      when: { method: "DELETE", ids: PRESENT },
      takes: deleteLibraryFilesSchema,
      answers: DeleteLibraryFilesResponse,
      run: async (context, { ids }) => {
        const held = await deleteLibraryFiles(context, ids);
        return { ...(await listLibrary(context)), held };
      },
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a file and lists the remaining ones. Returns 409 for a file in use.",
      when: { method: "DELETE" },
      takes: deleteLibraryFileSchema,
      answers: LibraryResponse,
      run: async (context, { id }) => {
        await deleteLibraryFile(context, id);
        return await listLibrary(context);
      },
    }),
  ],
};
