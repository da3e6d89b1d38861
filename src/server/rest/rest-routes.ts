import { type Context, Hono } from "hono";
import { requireOperator } from "../auth/require-operator.ts";
import type { Fault } from "../error-response.ts";
import { handleError } from "../handle-error.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { parseRestQuery } from "./parse-query.ts";
import { readRows } from "./read-rows.ts";
import { READABLE_TABLES } from "./readable-tables.ts";
import { RestError } from "./rest-error.ts";

const SINGLE = "application/vnd.pgrst.object+json";

/** The tables under /rest/v1 (PROTOCOL 2): reading from an allow-list. */
export function restRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const answerFault = handleError(server.log, restErrorBody);
  app.onError((error, c) => {
    if (!(error instanceof RestError)) return answerFault(error, c);
    const { code, details, message, status } = error;
    return c.json({ code, details, hint: null, message }, status);
  });
  app.use(requireOperator(server));

  app.get("/:table", async (c) => {
    const table = tableOf(c);
    const rows = await readRows(server, table, parseRestQuery(new URL(c.req.url).searchParams, table));
    if (c.req.header("accept")?.includes(SINGLE)) return answerSingle(c, rows);
    c.header("Content-Range", rows.length === 0 ? "*/*" : `0-${rows.length - 1}/*`);
    return c.json(rows);
  });

  app.all("/:table", (c) => {
    const { name } = tableOf(c);
    throw new RestError(403, "42501", `permission denied for table ${name}`);
  });

  app.all("*", () => {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });
  return app;
}

function tableOf(c: Context<ServerEnv>) {
  const name = c.req.param("table") ?? "";
  const table = Object.hasOwn(READABLE_TABLES, name) ? READABLE_TABLES[name] : undefined;
  if (!table) throw new RestError(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`);
  return table;
}

function answerSingle(c: Context<ServerEnv>, rows: Record<string, unknown>[]): Response {
  if (rows.length !== 1) {
    const details = `The result contains ${rows.length} rows`;
    throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", details);
  }
  return c.json(rows[0], 200, { "Content-Type": `${SINGLE}; charset=utf-8` });
}

function restErrorBody(fault: Fault, c: Context<ServerEnv>): Response {
  if (fault.isAuth) return c.json({ code: "PGRST301", details: null, hint: null, message: fault.sentence }, 401);
  const code = fault.status >= 500 ? "XX000" : "PGRST000";
  return c.json({ code, details: null, hint: null, message: fault.sentence }, fault.status);
}
