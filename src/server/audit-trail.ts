import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { writeAuditEntries } from "#operations/audit/write-audit-entries.ts";
import { AUDITED_CALLS, type Fields } from "./audited-calls.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";

const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Writes down who did what, for each call that succeeded and may have changed something, before it is answered. One
 * place for all routes: a new one is written down under its method and pattern until it has a name.
 */
export function auditTrail(server: Pick<ServerContext, "db" | "log">) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    await next();
    if (c.error || c.res.status >= 400 || !c.var.operator) return;
    const { account } = c.var.operator;
    const route = `${c.req.method} ${routePath(c)}`;
    const describe = Object.hasOwn(AUDITED_CALLS, route) ? AUDITED_CALLS[route] : undefined;
    if (!describe && READING_METHODS.has(c.req.method)) return;
    try {
      const act = describe ? await describe(readCall(c)) : { action: route };
      if (act) await writeAuditEntries(server, account, act, c.var.goneNames);
    } catch (error) {
      // What was asked for is done: an error now would say that it was not.
      server.log.error({ err: error, requestId: c.get("requestId"), route }, "an audit entry could not be written");
    }
  });
}

function readCall(c: Context<ServerEnv>): Parameters<(typeof AUDITED_CALLS)[string]>[0] {
  const path = c.req.path.split("/");
  const pattern = routePath(c).split("/");
  return {
    param: (name) => path[pattern.indexOf(`:${name}`)] ?? "",
    query: c.req.query(),
    body: async () => parse(await c.req.text()),
    answer: async () => parse(await c.res.clone().text()),
    writtenIds: c.var.writtenIds ?? [],
  };
}

function parse(text: string): Fields {
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
