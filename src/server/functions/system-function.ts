import type { Hono } from "hono";
import { type SystemAction, systemActionSchema } from "#contract/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/system.ts";
import { readClaiming } from "#operations/fleet/list-workers.ts";
import { pauseQueue, resumeQueue } from "#operations/fleet/queue-pause.ts";
import { readSystem } from "#operations/fleet/read-system.ts";
import { steerWorker } from "#operations/fleet/steer-worker.ts";
import { parseInput } from "#operations/parse-input.ts";
import { limitBody, readJson } from "../read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { systemPartSchema } from "./requests.ts";

/** The function system: the workers and the queue, read by GET; told what to do, and read again, by POST. */
export function addSystemFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/system", async (c) => {
    const { part } = parseInput(systemPartSchema, c.req.query());
    if (part === "claiming") return c.json((await readClaiming(server)) satisfies ClaimingResponse);
    return c.json((await readSystem(server, server.kinds)) satisfies SystemResponse);
  });

  app.post("/system", limitBody(1), async (c) => {
    const order = parseInput(systemActionSchema, await readJson(c));
    const worker = await act(server, order, c.get("operator").account.email);
    if (worker !== null) c.set("writtenIds", [worker]);
    return c.json((await readSystem(server, server.kinds)) satisfies SystemResponse);
  });
}

/** Returns the name of the worker that was told something. */
async function act(server: ServerContext, order: SystemAction, by: string): Promise<string | null> {
  if (order.action === "pause-queue") await pauseQueue(server, by);
  else if (order.action === "resume-queue") await resumeQueue(server);
  else return steerWorker(server, order);
  return null;
}
