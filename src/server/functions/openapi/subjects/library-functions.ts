import { z } from "zod";
import { changeLibraryFileSchema } from "#operations/library/change-library-file.ts";
import { deleteLibraryFileSchema, deleteLibraryFilesSchema } from "#operations/library/delete-library-files.ts";
import type { FunctionDocs } from "../function-doc.ts";

const deleteMethod = { method: z.literal("DELETE") };

export const LIBRARY_FUNCTIONS: FunctionDocs = {
  "/functions/v1/library": {
    summary: "Lists, changes or deletes the files of the library. POST /uploads adds one.",
    calls: [
      {
        name: "list",
        summary: "Lists all files, newest first.",
        takes: z.object({ method: z.literal("GET") }),
        answers: "LibraryResponse",
      },
      {
        name: "change",
        summary: "Changes the name or tags of a file.",
        takes: changeLibraryFileSchema.safeExtend({ method: z.literal("PATCH") }),
        answers: "ChangeLibraryFileResponse",
      },
      {
        name: "delete",
        summary: "Deletes a file that is not in use, and lists the remaining files.",
        takes: deleteLibraryFileSchema.extend(deleteMethod),
        answers: "LibraryResponse",
      },
      {
        name: "delete-all",
        summary: "Deletes the given files that are not in use, and lists the remaining files.",
        takes: deleteLibraryFilesSchema.extend(deleteMethod),
        answers: "DeleteLibraryFilesResponse",
      },
    ],
  },
};
