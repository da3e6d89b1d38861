import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { REDIRECTOR_PATHS, type RedirectorReport, type ReportRequest } from "#contract/cloak/published-config.ts";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type LogRejection, plainHost, type VisitCounts } from "./redirect-visitor.ts";
import type { ConfigStore } from "./config/published-config-store.ts";
import type { SignedRequests } from "./config/receive-signed.ts";
import type { RoutingTable } from "./config/routing-table.ts";
import type { Counts } from "./counts.ts";

export type InternalContext = {
  store: ConfigStore;
  signed: SignedRequests;
  counts: Counts;
  tally: VisitCounts;
  metricsToken: string | null;
  logRejection: LogRejection;
  readHealthMark: () => string;
  log: Logger;
};

export const INTERNAL_PREFIX = "/_clipmill/";

export async function serveInternal(
  context: InternalContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? "", "http://redirector");
  try {
    switch (`${request.method} ${url?.pathname}`) {
      case `POST ${REDIRECTOR_PATHS.publish}`: {
        const document = await context.signed.receive(request);
        return sendJson(response, 200, await context.store.replace(document));
      }
      case `POST ${REDIRECTOR_PATHS.report}`: {
        const reportRequest = parseReportRequest(await context.signed.receive(request));
        return sendJson(response, 200, report(context, reportRequest));
      }
      case `GET ${REDIRECTOR_PATHS.ask}`: {
        const domain = plainHost(url?.searchParams.get("domain") ?? "");
        const isPublished = context.store.current()?.hosts.has(domain) ?? false;
        return sendText(response, isPublished ? 200 : 404, isPublished ? "Published.\n" : "Not published.\n");
      }
      case `GET ${REDIRECTOR_PATHS.metrics}`: {
        if (!mayReadMetrics(context, request)) return sendText(response, 404, "There is nothing at this address.\n");
        return sendText(response, 200, writeMetrics(context.store.current(), context.tally));
      }
      default:
        return sendText(response, 404, "There is nothing at this address.\n");
    }
  } catch (error) {
    sendError(context, request, response, error);
  }
}

const STATUS_OF: Partial<Record<ErrorCode, number>> = {
  unauthorized: 401,
  conflict: 409,
  too_large: 413,
  unavailable: 503,
  no_space: 507,
};

function sendError(context: InternalContext, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const known = error instanceof ClipmillError ? error : null;
  if (known) context.logRejection(known.code);
  else context.log.error({ err: error }, "an internal request failed");
  if (response.destroyed || response.socket === null || response.socket.destroyed) return;
  // Closes the connection instead of reading the rest of the body.
  response.setHeader("connection", "close");
  const sentence = known?.message ?? "The redirector had an internal error. See its log for details.";
  sendJson(response, known ? (STATUS_OF[known.code] ?? 400) : 500, {
    service: "clipmill-redirector",
    error: sentence,
  });
}

function parseReportRequest(body: Buffer): ReportRequest {
  try {
    const request = JSON.parse(body.toString()) as Partial<ReportRequest>;
    const isRequest = request.type === "clipmill.report" && /^\d{4}-\d\d-\d\d$/.test(request.fromDay ?? "");
    if (isRequest) return request as ReportRequest;
  } catch {
    // Rejected below.
  }
  throw new ClipmillError("invalid", "The request is not valid.");
}

/** Omits unchanged health, which is large with many fallbacks and requested every ten seconds. */
function report({ store, counts, readHealthMark }: InternalContext, reportRequest: ReportRequest): RedirectorReport {
  const table = store.current();
  const healthMark = readHealthMark();
  const isHealthKnown = reportRequest.healthMark === healthMark;
  return {
    service: "clipmill-redirector",
    version: table?.header.version ?? 0,
    digest: table?.header.digest ?? null,
    routes: table?.header.routes ?? 0,
    source: counts.source,
    counts: counts.since(reportRequest.fromDay),
    health: isHealthKnown ? [] : listHealth(table),
    healthMark,
    isHealthKnown,
  };
}

function listHealth(table: RoutingTable | null): RedirectorReport["health"] {
  const health: RedirectorReport["health"] = [];
  for (const routes of table?.hosts.values() ?? []) {
    for (const { id, check } of routes.values()) {
      if (!check) continue;
      const checkedAt = check.checkedAtMs === null ? null : new Date(check.checkedAtMs).toISOString();
      health.push({ routeId: id, state: check.state, checkedAt, reason: check.reason });
    }
  }
  return health;
}

function mayReadMetrics({ metricsToken }: InternalContext, request: IncomingMessage): boolean {
  if (metricsToken === null) return false;
  const given = sha256Of(request.headers.authorization ?? "");
  return timingSafeEqual(Buffer.from(given), Buffer.from(sha256Of(`Bearer ${metricsToken}`)));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, "application/json", JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "text/plain; charset=utf-8", text);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(text);
}

function writeMetrics(table: RoutingTable | null, tally: VisitCounts): string {
  const checks = [...(table?.checks.values() ?? [])];
  const down = checks.filter((check) => check.state === "down").length;
  const lines = [
    ...metric("clipmill_redirects_total", "counter", "Requests redirected.", tally.redirects),
    ...metric("clipmill_not_found_total", "counter", "Responses with status 404.", tally.notFound),
    ...metric("clipmill_not_allowed_total", "counter", "Responses with status 405.", tally.notAllowed),
    ...metric("clipmill_published_version", "gauge", "Configuration version being served.", table?.header.version ?? 0),
    ...metric("clipmill_published_routes", "gauge", "Routes being served.", table?.header.routes ?? 0),
    ...metric(
      "clipmill_checked_primaries",
      "gauge",
      "Primary URLs with a fallback, which are health-checked.",
      checks.length,
    ),
    ...metric("clipmill_down_primaries", "gauge", "Primary URLs that are down.", down),
    ...metric("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", process.memoryUsage.rss()),
  ];
  return `${lines.join("\n")}\n`;
}

function metric(name: string, type: "counter" | "gauge", help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
