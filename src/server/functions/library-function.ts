import type { Hono } from "hono";
import { z } from "zod";
import { deleteLibraryFile, deleteLibraryFileSchema } from "#operations/library/delete-library-file.ts";
import { listLibrary } from "#operations/library/list-library.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

const methodSchema = z.object({
  method: z.enum(["GET", "DELETE"], { error: "method: must be GET or DELETE" }),
});

/** Lists or deletes files; /uploads adds them. */
export function addLibraryFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/library", limitBody(1), async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "DELETE") {
      const { id } = parseInput(deleteLibraryFileSchema, body);
      await deleteLibraryFile(actorContextFor(server, c), id);
    }
    return c.json(await listLibrary(server));
  });
}
