import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import type { UploadResponse } from "#contract/calls.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import { uploadNameSchema } from "#operations/library/upload-name.ts";
import { receiveUpload } from "#operations/library/receive-upload.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { idempotent } from "../requests/idempotent.ts";
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
  // Equal name, use and size make two uploads the same: the file is not read again to compare.
  const repeatable = idempotent(server, {
    read: async (c) => ({ size: c.req.header("content-length") }),
    isRepeatable: ({ size }) => size !== undefined,
  });

  app.route("/tus", resumableUploadRoutes(server));
  app.post("/", closeAfter, repeatable, async (c) => {
    const { incoming } = c.env;
    const announced = Number(incoming.headers["content-length"] ?? Number.NaN);
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
