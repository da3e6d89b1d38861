import type { Hono } from "hono";
import { z } from "zod";
import type {
  DestinationResponse,
  DestinationsResponse,
  TestDestinationResponse,
} from "#contract/destinations/destinations.ts";
import type { ChannelsResponse } from "#contract/destinations/posting.ts";
import { addDestination } from "#operations/destinations/add-destination.ts";
import { changeDestination } from "#operations/destinations/change-destination.ts";
import { listDestinations } from "#operations/destinations/list-destinations.ts";
import { listChannels } from "#operations/destinations/postiz/list-channels.ts";
import { removeDestination } from "#operations/destinations/remove-destination.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

const actionSchema = z.object({
  action: z.enum(["list", "channels", "create", "update", "delete", "test"], {
    error: "action: must be list, channels, create, update, delete or test",
  }),
});

/** A failed test has status 200 and `isValid` false. */
export function addDestinationsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/destinations", limitBody(1), async (c) => {
    const body = await readJson(c);
    const context = actorContextFor(server, c);
    switch (parseInput(actionSchema, body).action) {
      case "list": {
        const folders = Object.keys(server.deliveryFolders);
        return c.json({ data: await listDestinations(context), folders } satisfies DestinationsResponse);
      }
      case "channels":
        return c.json({ data: await listChannels(context, body) } satisfies ChannelsResponse);
      case "create":
        return c.json({ data: await addDestination(context, body) } satisfies DestinationResponse);
      case "update":
        return c.json({ data: await changeDestination(context, body) } satisfies DestinationResponse);
      case "delete":
        await removeDestination(context, body);
        return c.json({ success: true });
      case "test":
        return c.json((await testDestination(context, body)) satisfies TestDestinationResponse);
    }
  });
}
