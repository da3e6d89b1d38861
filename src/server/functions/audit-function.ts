import type { Hono } from "hono";
import type { AuditResponse } from "#contract/calls.ts";
import { listAuditEntries, listAuditSchema } from "#operations/audit/list-audit-entries.ts";
import { parseInput } from "#operations/parse-input.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

export function addAuditFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/audit", async (c) => {
    const data = await listAuditEntries(server, parseInput(listAuditSchema, c.req.query()));
    return c.json({ data } satisfies AuditResponse);
  });
}
