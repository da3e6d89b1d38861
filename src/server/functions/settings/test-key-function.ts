import type { Hono } from "hono";
import { testServiceKey } from "#operations/settings/test-service-key.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

/** A rejected key has status 200 and `isValid` false. */
export function addTestKeyFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/test-key", limitBody(1), async (c) => c.json(await testServiceKey(server, await readJson(c))));
}
