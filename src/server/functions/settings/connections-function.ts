import type { Hono } from "hono";
import { z } from "zod";
import type {
  ConnectionResponse,
  ConnectionsResponse,
  TestConnectionResponse,
} from "#contract/connections/connections.ts";
import { addConnection } from "#operations/connections/add-connection.ts";
import { changeConnection } from "#operations/connections/change-connection.ts";
import { listConnections } from "#operations/connections/list-connections.ts";
import { removeConnection } from "#operations/connections/remove-connection.ts";
import { testConnection } from "#operations/connections/test-connection.ts";
import type { SuccessResponse } from "#contract/calls.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

const actionSchema = z.object({
  action: z.enum(["list", "create", "update", "delete", "test"], {
    error: "action: must be list, create, update, delete or test",
  }),
});

/** A failed test has status 200 and `isValid` false. */
export function addConnectionsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/connections", limitBody(1), async (c) => {
    const body = await readJson(c);
    const context = actorContextFor(server, c);
    switch (parseInput(actionSchema, body).action) {
      case "list":
        return c.json({ data: await listConnections(context) } satisfies ConnectionsResponse);
      case "create":
        return c.json({ data: await addConnection(context, body) } satisfies ConnectionResponse);
      case "update":
        return c.json({ data: await changeConnection(context, body) } satisfies ConnectionResponse);
      case "delete":
        await removeConnection(context, body);
        return c.json({ success: true } satisfies SuccessResponse);
      case "test":
        return c.json((await testConnection(context, body)) satisfies TestConnectionResponse);
    }
  });
}
