import path from "node:path";
import type { Logger } from "pino";
import { REDIRECTOR_PATHS } from "#contract/cloak/published-config.ts";
import { openPort, type PortOptions } from "#http/open-port.ts";
import { redirectVisitor, type VisitCounts, createRejectionLogger } from "./redirect-visitor.ts";
import { openCounts } from "./counts.ts";
import { openDocumentFiles } from "./config/document-files.ts";
import { type HealthCheckOptions, startHealthChecks } from "./health/health-checks.ts";
import { serveInternal, INTERNAL_PREFIX, type InternalContext } from "./internal-routes.ts";
import { openConfigStore } from "./config/published-config-store.ts";
import type { RoutingTable } from "./config/routing-table.ts";
import { createSignedRequests } from "./config/receive-signed.ts";

export type RedirectorOptions = {
  host: string;
  port: number;
  /** Holds published documents and counts. No other process may use it. */
  folder: string;
  publishToken: string;
  /** Null disables metrics. */
  metricsToken: string | null;
  /** Connections of these proxies count toward the clients they name. */
  trustedProxies?: string[] | undefined;
  log: Logger;
  health?: HealthCheckOptions;
};

export type Redirector = {
  port: number;
  publishUrl: string;
  close: () => Promise<void>;
};

const HTTP_OPTIONS: NonNullable<PortOptions["http"]> = {
  // Without a host, requests get the response of an unknown one.
  requireHostHeader: false,
  // Visitors send no body.
  optimizeEmptyRequests: true,
};

/** Throws ClipmillError "conflict" if the port is in use. */
export async function startRedirector(options: RedirectorOptions): Promise<Redirector> {
  await using stack = new AsyncDisposableStack();
  const { host, folder, log } = options;
  const files = await openDocumentFiles(path.join(folder, "published"));
  const counts = await openCounts(path.join(folder, "counts.json"), log);
  stack.defer(() => counts.close());
  const health = startHealthChecks(options.health ?? {});
  stack.defer(() => health.close());
  const continuing = {
    counterOf: (routeId: string) => counts.counterOf(routeId),
    checkOf: (url: string) => health.checkOf(url),
    adopt(table: RoutingTable) {
      counts.adopt(table.counters);
      health.adopt(table.checks);
    },
  };
  const store = await openConfigStore(files, continuing, log);
  const tally: VisitCounts = { redirects: 0, notFound: 0, notAllowed: 0 };
  const { metricsToken } = options;
  const signed = createSignedRequests(options.publishToken);
  const internal: InternalContext = {
    store,
    signed,
    counts,
    tally,
    metricsToken,
    logRejection: createRejectionLogger(log),
    readHealthMark: () => health.mark(),
    log,
  };
  const opened = await openPort(
    {
      host,
      port: options.port,
      setting: "REDIRECTOR_PORT",
      trustedProxies: options.trustedProxies,
      http: HTTP_OPTIONS,
    },
    (request, response) => {
      if (request.url!.startsWith(INTERNAL_PREFIX)) void serveInternal(internal, request, response);
      else redirectVisitor(store.current(), request, response, tally);
    },
  );
  const { port } = opened;
  stack.defer(() => opened.close());
  const running = stack.move();
  const urlHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return {
    port,
    publishUrl: `http://${urlHost}:${port}${REDIRECTOR_PATHS.publish}`,
    close: () => running.disposeAsync(),
  };
}
