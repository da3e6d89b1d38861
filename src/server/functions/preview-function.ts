import type { Hono } from "hono";
import { withPlatformDefaults } from "#contract/jobs/outputs/platforms.ts";
import type { PreviewResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import { parseInput } from "#operations/parse-input.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** Throws ClipmillError "unavailable" without a worker in the server's process. */
export function addPreviewFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/preview", limitBody(1), async (c) => {
    const request = parseInput(previewSchema, withPlatformDefaults(await readJson(c)));
    if (!server.drawPreview) {
      throw new ClipmillError("unavailable", "Previews require a worker on this server, and none is running.");
    }
    const caller = { sessionId: c.get("operator").sessionId, signal: c.req.raw.signal };
    return c.json((await server.drawPreview(request, caller)) satisfies PreviewResponse);
  });
}
