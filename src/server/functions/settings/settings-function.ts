import type { Hono, HonoRequest } from "hono";
import { parseInput } from "#operations/parse-input.ts";
import { readSettings } from "#operations/settings/read-settings.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { methodSchema } from "../requests.ts";

/** The request's possible origins: a proxy may hide host or scheme. */
function originsOf(request: HonoRequest): string[] {
  const host = request.header("host");
  const byName = host === undefined ? [] : [`http://${host}`, `https://${host}`];
  return [...byName, request.header("origin")].flatMap((address) => (address && URL.parse(address)?.origin) ?? []);
}

/** Never returns keys. */
export function addSettingsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/settings", async (c) => c.json(await readSettings(server)));
  app.post("/settings", limitBody(1), async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "POST") {
      await saveSettings(actorContextFor(server, c), body, {
        ...server,
        ownOrigins: [...server.ownOrigins, ...originsOf(c.req)],
      });
    }
    return c.json(await readSettings(server));
  });
}
