import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import type { UploadResponse } from "#contract/calls.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import { uploadNameSchema } from "#operations/library/keep-upload.ts";
import { receiveUpload } from "#operations/library/receive-upload.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { runOnce } from "../requests/idempotent.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPieces } from "./read-pieces.ts";
import { resumableUploadRoutes } from "./resumable-upload-routes.ts";

const uploadSchema = z.object({
  name: uploadNameSchema.default("upload"),
  use: z.enum(UPLOAD_USES).default("video"),
});

/** In one request, whose body is the raw file and whose query has name and use, or below /tus in several. */
export function uploadRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(requireOperator(server));
  const closeAfter = createMiddleware<ServerEnv>(async (c, next) => {
    // The rest of a rejected or repeated file is not read.
    c.header("Connection", "close");
    await next();
  });
  app.route("/tus", resumableUploadRoutes(server));
  app.post("/", closeAfter, async (c) => {
    const { incoming } = c.env;
    const size = c.req.header("content-length");
    const receive = async (): Promise<Response> => {
      const { name, use } = parseInput(uploadSchema, c.req.query());
      const response = await receiveUpload(actorContextFor(server, c), server.uploads, {
        name,
        use,
        announcedBytes: size === undefined ? null : Number(size),
        body: readPieces(incoming),
        signal: c.req.raw.signal,
      });
      return c.json(response satisfies UploadResponse);
    };
    // Equal name, use and size make two uploads the same: the file is not read again to compare.
    return size === undefined ? await receive() : await runOnce(server, c, { size }, receive);
  });
  return app;
}
