import type { Hono } from "hono";
import type { SessionsResponse } from "#contract/account.ts";
import { ClipmillError } from "#contract/errors.ts";
import { listSessions } from "#operations/accounts/sessions/list-sessions.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

export function addSessionsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/sessions", limitBody(1), async (c) => {
    if ((await readJson(c)).method !== "GET")
      throw new ClipmillError("invalid", "Sessions are read-only. Set method to GET.");
    const { account, sessionId } = c.get("operator");
    const data = await listSessions(server, { accountId: account.id, sessionId });
    return c.json({ data } satisfies SessionsResponse);
  });
}
