import { Hono } from "hono";
import { WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { SignInOptions } from "#contract/accounts/sign-in.ts";
import { authRoutes } from "./auth/routes/auth-routes.ts";
import { requireOperator } from "./auth/require-operator.ts";
import { createTokenLimit } from "./auth/token-limit.ts";
import { downloadRoutes } from "./downloads/download-routes.ts";
import { createFramedPages } from "./pages/framed-pages.ts";
import { describeApi } from "./functions/openapi/describe-api.ts";
import { functionRoutes } from "./functions/function-routes.ts";
import { MAX_CREATE_MB } from "./functions/jobs/create-job-calls.ts";
import { handleError, respondWithProblem, toPublicError } from "./requests/error-response.ts";
import { identifyProxies } from "./requests/known-proxies.ts";
import { allowOtherOrigins } from "./oauth/allow-other-origins.ts";
import { challenge, MCP_PATH } from "./oauth/metadata.ts";
import { oauthRoutes } from "./oauth/oauth-routes.ts";
import { serveMetrics, measureRequests } from "./health/metrics.ts";
import { createQueueFigures } from "./health/queue-figures.ts";
import { serveReadiness } from "./health/readiness.ts";
import { guestRoutes } from "./guests/guest-routes.ts";
import { limitBody } from "./requests/read-json.ts";
import { requestLog } from "./requests/request-log.ts";
import { restRoutes } from "./rest/rest-routes.ts";
import { securityHeaders } from "./requests/security-headers.ts";
import type { ServerContext, ServerEnv } from "./server-context.ts";
import { serveWebApp } from "./pages/static-app.ts";
import { traceRequests } from "./requests/trace-requests.ts";
import { workerRoutes } from "./workers/worker-routes.ts";
import { uploadRoutes } from "./uploads/upload-routes.ts";

function signInOptions({ mailer, hasPasswords, openId }: ServerContext): SignInOptions {
  return { sendsMail: mailer !== null, hasPasswords, openIdName: openId?.name ?? null };
}

let openapi: Record<string, unknown> | undefined;

export function createApp(server: ServerContext, realtimeRoutes: Hono<ServerEnv>, webRoot: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const countRequest = createTokenLimit();
  const framed = createFramedPages(server);
  app.onError(handleError(server.log, respondWithProblem));
  app.use(
    identifyProxies(server.trustedProxies),
    requestLog(server.log),
    measureRequests(server.metrics),
    ...(server.tracing ? [traceRequests(server.tracing)] : []),
    async (c, next) => {
      c.set("countRequest", countRequest);
      await next();
    },
    securityHeaders(server.publicUrl, framed, server.fileAddresses?.origin ?? null),
  );

  app.get("/health", (c) => c.json({ status: "ok", ...signInOptions(server) }));
  app.get("/ready", serveReadiness(server));
  app.get("/metrics", serveMetrics(server.metrics, createQueueFigures(server.metrics.registry, server)));
  app.get("/openapi.json", requireOperator(server), (c) => c.json((openapi ??= describeApi())));
  app.on(
    "ALL",
    [MCP_PATH, `${MCP_PATH}/`],
    allowOtherOrigins,
    challenge(server),
    requireOperator(server),
    limitBody(MAX_CREATE_MB),
    async (c) => {
      const { serveMcp } = await import("./mcp/serve-mcp.ts");
      return await serveMcp(server, c, async (request, env) => await app.fetch(request, env));
    },
  );
  app.route("/", oauthRoutes(server));
  app.route("/auth/v1", authRoutes(server));
  app.route("/rest/v1", restRoutes(server));
  app.route("/functions/v1", functionRoutes(server));
  app.route("/realtime/v1", realtimeRoutes);
  app.route("/downloads", downloadRoutes(server));
  app.route("/uploads", uploadRoutes(server));
  app.route("/guest", guestRoutes(server));
  app.route(WORKER_PATH, workerRoutes(server));
  app.get("*", serveWebApp(webRoot, framed));
  app.notFound((c) =>
    respondWithProblem(toPublicError(new ClipmillError("not_found", "There is nothing at this address.")), c),
  );
  return app;
}
