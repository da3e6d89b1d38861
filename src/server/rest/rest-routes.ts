import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ClipmillError } from "#contract/errors.ts";
import type { TableError } from "#contract/problems.ts";
import { actorOf } from "../actor-context.ts";
import { requireOperator } from "../auth/require-operator.ts";
import { type PublicError, handleError } from "../requests/error-response.ts";
import { limitBody, readJsonValue } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { parseHeaders, type RestHeaders, parseRestQuery, type RestQuery } from "./parse-query.ts";
import { RestError, unreadable } from "./rest-error.ts";
import { findTable, type RestTable, type Row } from "./rest-tables.ts";
import { countRows, pickColumns, selectRows } from "./select-rows.ts";
import { deleteRows, findDeletable, insertRows, updateRows } from "./write-rows.ts";

const SINGLE = "application/vnd.pgrst.object+json; charset=utf-8";
/** 10,000 captions of 2,000 characters, of three bytes in many scripts. */
const MAX_BODY_MB = 64;

/** PostgreSQL's codes for errors of verbs; "not_found" is a missing referenced row. */
const CODES: Record<string, string> = { conflict: "23505", not_found: "23503", too_large: "54000" };

/** PostgreSQL's invalid values and constraint violations; others are server errors. */
const STATUS_OF_CLASS: Record<string, ContentfulStatusCode> = { "22": 400, "23": 409 };

type Call = { table: RestTable; query: RestQuery; headers: RestHeaders };

/** /rest/v1 (PROTOCOL 2). Writes use the verbs. */
export function restRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const respondWithError = handleError(server.log, restErrorBody);
  app.onError((error, c) => {
    const known = toRestError(error);
    if (!known) return respondWithError(error, c);
    const { code, details, message, status } = known;
    return c.json({ code, details, hint: null, message } satisfies TableError, status);
  });
  app.use(requireOperator(server), limitBody(MAX_BODY_MB));

  app.get("/:table", async (c) => {
    const { table, query, headers } = readCall(c);
    const rows = await selectRows(server, table, query);
    const picked = rows.map((row) => pickColumns(row, query));
    if (headers.isSingle) return respondWithSingle(c, picked, 200);
    const total = headers.isCounted ? await countRows(server.db, table, query.filters) : null;
    return respondWithPage(c, picked, query.offset, total);
  });

  app.post("/:table", async (c) => {
    const { table, query, headers } = readCall(c);
    if (query.filters.length > 0) throw unreadable(query.filters[0]!.column);
    const body = await readRows(c);
    const options = { columns: query.writes, fillsDefaults: headers.fillsDefaults };
    const actor = actorOf(c);
    const { ids, rows } = await server.db.transaction().execute(async (trx) => {
      const ids = await insertRows({ trx, actor }, table, body, options);
      return { ids, rows: await readWritten(server, { table, query, headers }, trx, ids) };
    });
    c.header("Content-Range", `*/${headers.isCounted ? ids.length : "*"}`);
    return respondWithWritten(c, headers, rows, 201);
  });

  app.patch("/:table", async (c) => {
    const { table, query, headers } = readCall(c);
    requireUnpaged(query);
    const body = await readRows(c);
    const actor = actorOf(c);
    const { ids, rows } = await server.db.transaction().execute(async (trx) => {
      const ids = await updateRows({ trx, actor }, table, query.filters, body);
      return { ids, rows: await readWritten(server, { table, query, headers }, trx, ids) };
    });
    const range = ids.length === 0 ? "*" : `0-${ids.length - 1}`;
    c.header("Content-Range", `${range}/${headers.isCounted ? ids.length : "*"}`);
    return respondWithWritten(c, headers, rows, 200);
  });

  app.delete("/:table", async (c) => {
    const { table, query, headers } = readCall(c);
    requireUnpaged(query);
    const actor = actorOf(c);
    const { ids, rows } = await server.db.transaction().execute(async (trx) => {
      const ids = await findDeletable(trx, table, query.filters);
      const rows = await readWritten(server, { table, query, headers }, trx, ids);
      await deleteRows({ trx, actor }, table, ids);
      return { ids, rows };
    });
    c.header("Content-Range", `*/${headers.isCounted ? ids.length : "*"}`);
    return respondWithWritten(c, headers, rows, 200);
  });

  app.all("/:table", (c) => {
    tableOf(c);
    throw new RestError(405, "PGRST117", `Unsupported HTTP method: ${c.req.method}`);
  });

  app.all("/rpc/:name", (c) => {
    throw new RestError(
      404,
      "PGRST202",
      `Could not find the function public.${c.req.param("name")} in the schema cache`,
    );
  });

  app.all("*", () => {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  });
  return app;
}

/** Throws ClipmillError "invalid", or "forbidden" for an API token. */
async function readRows(c: Context<ServerEnv>): Promise<unknown> {
  const body = await readJsonValue(c);
  for (const row of [body].flat()) c.get("checkRow")?.(row);
  return body;
}

function readCall(c: Context<ServerEnv>): Call {
  const table = tableOf(c);
  const headers = parseHeaders(c.req.method, c.req.raw.headers);
  return { table, headers, query: parseRestQuery(new URL(c.req.url).searchParams, table) };
}

function tableOf(c: Context<ServerEnv>): RestTable {
  const name = c.req.param("table") ?? "";
  const table = findTable(name);
  if (!table) throw new RestError(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`);
  return table;
}

/** Writes apply to all matching rows. */
function requireUnpaged(query: RestQuery): void {
  if (query.limit !== null || query.offset > 0) throw unreadable("limit and offset of a write");
}

/**
 * Returns the rows written if requested, else null. Throws RestError, which rolls back, if one row is requested and
 * another number was written.
 */
async function readWritten(
  server: ServerContext,
  { table, query, headers }: Call,
  trx: ServerContext["db"],
  ids: string[],
): Promise<Row[] | null> {
  if (headers.isSingle && headers.returnsRows) requireOne(ids.length);
  if (!headers.returnsRows) return null;
  const written = { column: "id", type: "uuid", operator: "in", values: ids } as const;
  const rows = await selectRows(
    { db: trx, links: server.links },
    { ...table, maxRows: ids.length },
    { ...query, filters: [written], limit: null, offset: 0 },
  );
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (row: Row) => places.get(row.id as string) ?? 0;
  const inOrder = query.orders.length > 0 ? rows : rows.toSorted((a, b) => placeOf(a) - placeOf(b));
  return inOrder.map((row) => pickColumns(row, query));
}

function respondWithPage(c: Context<ServerEnv>, rows: Row[], offset: number, total: number | null): Response {
  if (total !== null && offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`;
    c.header("Content-Range", `*/${total}`);
    throw new RestError(416, "PGRST103", "Requested range not satisfiable", details);
  }
  const range = rows.length === 0 ? "*" : `${offset}-${offset + rows.length - 1}`;
  c.header("Content-Range", `${range}/${total ?? "*"}`);
  return c.json(rows, total !== null && rows.length < total ? 206 : 200);
}

function respondWithSingle(c: Context<ServerEnv>, rows: Row[], status: 200 | 201): Response {
  requireOne(rows.length);
  return c.json(rows[0], status, { "Content-Type": SINGLE });
}

function respondWithWritten(
  c: Context<ServerEnv>,
  headers: RestHeaders,
  rows: Row[] | null,
  status: 200 | 201,
): Response {
  if (!rows) return c.body(null, status === 201 ? 201 : 204);
  return headers.isSingle ? respondWithSingle(c, rows, status) : c.json(rows, status);
}

function requireOne(count: number): void {
  if (count === 1) return;
  const details = `The result contains ${count} rows`;
  throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", details);
}

function restErrorBody(error: PublicError, c: Context<ServerEnv>): Response {
  if (error.isAuth) return c.json({ code: "PGRST301", details: null, hint: null, message: error.sentence }, 401);
  const code = error.status >= 500 ? "XX000" : (CODES[error.code] ?? "P0001");
  const status = error.code === "not_found" ? 409 : error.status;
  return c.json({ code, details: null, hint: null, message: error.sentence }, status);
}

function toRestError(error: unknown): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof ClipmillError || !(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const status = /^[0-9A-Z]{5}$/.test(code) ? STATUS_OF_CLASS[code.slice(0, 2)] : undefined;
  return status ? new RestError(status, code, error.message) : null;
}
