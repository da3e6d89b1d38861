import { Hono } from "hono";
import { z } from "zod";
import type { UploadResponse } from "#contract/calls.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import { receiveUpload } from "#operations/library/receive-upload.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPieces } from "./read-pieces.ts";
import { resumableUploadRoutes } from "./resumable-upload-routes.ts";

const uploadSchema = z.object({
  name: z.string({ error: "The file name is missing." }).max(1_000).default("upload"),
  use: z.enum(UPLOAD_USES).default("video"),
});

/**
 * Serves uploads into the library: in one request, whose body is the raw file and whose query holds its name and use;
 * and below /tus in several requests.
 */
export function uploadRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(requireOperator(server));
  app.route("/tus", resumableUploadRoutes(server));
  app.post("/", async (c) => {
    const { incoming } = c.env;
    const announced = Number(incoming.headers["content-length"] ?? Number.NaN);
    // The rest of a refused file is not read.
    c.header("Connection", "close");
    const { name, use } = parseInput(uploadSchema, c.req.query());
    const response = await receiveUpload(actorContextFor(server, c), server.uploads, {
      name,
      use,
      announcedBytes: Number.isNaN(announced) ? null : announced,
      body: readPieces(incoming),
      signal: c.req.raw.signal,
    });
    return c.json(response satisfies UploadResponse);
  });
  return app;
}
