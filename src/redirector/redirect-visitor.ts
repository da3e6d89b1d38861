import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { pathKey } from "#contract/cloak/published-config.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { RoutingTable, ServedRoute } from "./config/routing-table.ts";

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found</title>
</head>
<body>
<h1>Not found</h1>
<p>There is nothing at this address.</p>
</body>
</html>
`;

const NOT_FOUND_BYTES = String(Buffer.byteLength(NOT_FOUND_PAGE));

export type VisitCounts = { redirects: number; notFound: number; notAllowed: number };

/** The response depends only on the requested address. */
export function redirectVisitor(
  table: RoutingTable | null,
  request: IncomingMessage,
  response: ServerResponse,
  tally: VisitCounts,
): void {
  // Date and keep-alive headers are useless here and cost time.
  response.sendDate = false;
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") {
    tally.notAllowed += 1;
    response.writeHead(405, ["allow", "GET, HEAD", "cache-control", "no-store", "content-length", "0"]);
    response.end();
    return;
  }
  const { host, path, query } = readAddress(request);
  const route = table === null ? null : findRoute(table, host, path);
  if (!route) {
    tally.notFound += 1;
    sendNotFound(response, method);
    return;
  }
  tally.redirects += 1;
  // HEAD does not count as a visit.
  if (method === "GET") route.counter.redirects += 1;
  const target = route.check?.state === "down" ? (route.fallback ?? route.primary) : route.primary;
  const location = query === "" ? target : withQuery(target, query);
  response.writeHead(302, ["location", location, "cache-control", "no-store", "content-length", "0"]);
  response.end();
}

type Address = { host: string; path: string; query: string };

/** An absolute target, as sent to proxies, overrides the Host header. */
function readAddress(request: IncomingMessage): Address {
  const url = request.url ?? "";
  if (url.charCodeAt(0) !== SLASH) {
    const parsed = URL.parse(url);
    const isWeb = parsed?.protocol === "http:" || parsed?.protocol === "https:";
    return isWeb ? { host: parsed.hostname, path: parsed.pathname, query: parsed.search.slice(1) } : NOWHERE;
  }
  const host = request.headers.host ?? "";
  const mark = url.indexOf("?");
  return mark === -1 ? { host, path: url, query: "" } : { host, path: url.slice(0, mark), query: url.slice(mark + 1) };
}

const SLASH = 47;
const NOWHERE: Address = { host: "", path: "", query: "" };

function findRoute(table: RoutingTable, host: string, path: string): ServedRoute | undefined {
  const routes = table.hosts.get(host) ?? table.hosts.get(plainHost(host));
  return routes?.get(pathKey(path));
}

/** Browsers send Unicode names as punycode. */
export function plainHost(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}

function sendNotFound(response: ServerResponse, method: string): void {
  response.writeHead(404, [
    "content-type",
    "text/html; charset=utf-8",
    "cache-control",
    "no-store",
    "x-content-type-options",
    "nosniff",
    "content-length",
    NOT_FOUND_BYTES,
  ]);
  response.end(method === "HEAD" ? undefined : NOT_FOUND_PAGE);
}

/**
 * Inserts the visitor's query before the fragment. The target's own parameters win, so visitors cannot change them; the
 * others keep their spelling and order.
 */
export function withQuery(target: string, query: string): string {
  const hash = target.indexOf("#");
  const base = hash === -1 ? target : target.slice(0, hash);
  const fragment = hash === -1 ? "" : target.slice(hash);
  const mark = base.indexOf("?");
  // Browsers never send a hash sign; unencoded, it would start a fragment.
  const safe = query.includes("#") ? query.replaceAll("#", "%23") : query;
  const passed = mark === -1 ? safe : withoutNames(safe, base.slice(mark + 1));
  if (passed === "") return target;
  const join = mark === -1 ? "?" : mark === base.length - 1 ? "" : "&";
  return `${base}${join}${passed}${fragment}`;
}

function withoutNames(query: string, own: string): string {
  const names = new URLSearchParams(own);
  return query
    .split("&")
    .filter((part) => !names.has(new URLSearchParams(part).keys().next().value ?? ""))
    .join("&");
}

export type LogRejection = (code: ErrorCode) => void;

const QUIET_MS = 60_000;

/**
 * Logs rejected requests once a minute per error code, with the number suppressed. Logs none of their content: anyone
 * on the internet can send them.
 */
export function createRejectionLogger(log: Logger, now: () => number = Date.now): LogRejection {
  const noted = new Map<ErrorCode, { untilMs: number; suppressed: number }>();
  return (code) => {
    const last = noted.get(code);
    if (last && now() < last.untilMs) {
      last.suppressed += 1;
      return;
    }
    noted.set(code, { untilMs: now() + QUIET_MS, suppressed: 0 });
    log.warn({ code, others: last?.suppressed ?? 0 }, "an internal request was rejected");
  };
}
