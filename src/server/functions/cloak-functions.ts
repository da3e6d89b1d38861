import type { Hono } from "hono";
import { z } from "zod";
import type { CloakStateResponse, EnvironmentCheck, PublishResult } from "#contract/cloak/cloak-calls.ts";
import { checkEnvironment } from "#operations/cloak/check-environment.ts";
import { publishConfig } from "#operations/cloak/publishing/publish-config.ts";
import { readCloakState } from "#operations/cloak/read-cloak-state.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../actor-context.ts";
import { idempotent } from "../requests/idempotent.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

export const publishSchema = z.object({ version: z.int().min(1).optional() });

/** The first two report failures in the response body. */
export function addCloakFunctions(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/cloak-env-validator", limitBody(1), async (c) =>
    c.json((await checkEnvironment(server.redirector)) satisfies EnvironmentCheck),
  );

  app.post("/cloak-publisher", limitBody(1), idempotent(server), async (c) => {
    const { version } = parseInput(publishSchema, await readJson(c));
    const result: PublishResult = await publishConfig(actorContextFor(server, c), server.redirector, version ?? null);
    return c.json(result);
  });

  app.post("/cloak-state", limitBody(1), async (c) =>
    c.json((await readCloakState(server)) satisfies CloakStateResponse),
  );
}
