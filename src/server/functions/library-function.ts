import type { Hono } from "hono";
import { z } from "zod";
import type { ChangeLibraryFileResponse, DeleteLibraryFilesResponse } from "#contract/calls.ts";
import { changeLibraryFile, changeLibraryFileSchema } from "#operations/library/change-library-file.ts";
import {
  deleteLibraryFile,
  deleteLibraryFiles,
  deleteLibraryFileSchema,
  deleteLibraryFilesSchema,
} from "#operations/library/delete-library-files.ts";
import { listLibrary } from "#operations/library/list-library.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

const methodSchema = z.object({
  method: z.enum(["GET", "PATCH", "DELETE"], { error: "method: must be GET, PATCH or DELETE" }),
});

/** /uploads adds files. */
export function addLibraryFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/library", limitBody(1), async (c) => {
    const body = await readJson(c);
    const { method } = parseInput(methodSchema, body);
    const context = actorContextFor(server, c);
    if (method === "PATCH") {
      const data = await changeLibraryFile(context, parseInput(changeLibraryFileSchema, body));
      return c.json({ data } satisfies ChangeLibraryFileResponse);
    }
    if (method === "DELETE" && "ids" in body) {
      const held = await deleteLibraryFiles(context, parseInput(deleteLibraryFilesSchema, body).ids);
      return c.json({ ...(await listLibrary(server)), held } satisfies DeleteLibraryFilesResponse);
    }
    if (method === "DELETE") await deleteLibraryFile(context, parseInput(deleteLibraryFileSchema, body).id);
    return c.json(await listLibrary(server));
  });
}
