import type { Hono } from "hono";
import { type SystemAction, systemActionSchema } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import type { ActorContext } from "#operations/audit/actor.ts";
import { readClaiming } from "#operations/fleet/list-workers.ts";
import { pauseQueue, resumeQueue } from "#operations/fleet/queue-pause.ts";
import { readSystem } from "#operations/fleet/read-system.ts";
import { steerWorker } from "#operations/fleet/steer-worker.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { systemPartSchema } from "../requests.ts";

/** POST controls the workers and returns their new state. */
export function addSystemFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/system", async (c) => {
    const { part } = parseInput(systemPartSchema, c.req.query());
    if (part === "claiming") return c.json((await readClaiming(server)) satisfies ClaimingResponse);
    return c.json((await readSystem(server, server.kinds)) satisfies SystemResponse);
  });

  app.post("/system", limitBody(1), async (c) => {
    const request = parseInput(systemActionSchema, await readJson(c));
    await runAction(actorContextFor(server, c), request);
    return c.json((await readSystem(server, server.kinds)) satisfies SystemResponse);
  });
}

function runAction(context: ServerContext & ActorContext, request: SystemAction): Promise<void> {
  if (request.action === "pause-queue") return pauseQueue(context);
  if (request.action === "resume-queue") return resumeQueue(context);
  return steerWorker(context, request);
}
