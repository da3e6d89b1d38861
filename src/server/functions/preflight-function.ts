import type { Hono } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { type PreflightResponse, preflightSchema } from "#contract/sources/preflight.ts";
import { parseInput } from "#operations/parse-input.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** Throws ClipmillError "unavailable" without media tools. */
export function addPreflightFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/preflight", limitBody(1), async (c) => {
    const { links } = parseInput(preflightSchema, await readJson(c));
    if (!server.preflight) throw new ClipmillError("unavailable", "This server cannot check links.");
    const caller = { accountId: c.get("operator").account.id, signal: c.req.raw.signal };
    return c.json((await server.preflight(links, caller)) satisfies PreflightResponse);
  });
}
