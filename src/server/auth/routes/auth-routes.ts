import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { ClipmillError } from "#contract/errors.ts";
import { handleError } from "../../requests/handle-error.ts";
import { limitBody } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { authErrorBody } from "../auth-error-body.ts";
import { addFactorRoutes } from "./factor-routes.ts";
import { addMailRoutes } from "./mail-routes.ts";
import { addTokenRoutes } from "./token-routes.ts";
import { addUserRoutes } from "./user-routes.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Other sites' pages could use the operator's cookie. */
const refuseOtherSites = createMiddleware<ServerEnv>(async (c, next) => {
  const site = c.req.header("sec-fetch-site");
  const isOther = site === "cross-site" || site === "same-site";
  if (isOther && !READING.has(c.req.method)) {
    throw new ClipmillError("unauthorized", "Cross-site requests are not allowed.");
  }
  await next();
});

/** Serves PROTOCOL 1. */
export function authRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, authErrorBody));
  app.use(refuseOtherSites, limitBody(1));
  addTokenRoutes(app, server);
  addUserRoutes(app, server);
  addMailRoutes(app, server);
  addFactorRoutes(app, server);
  app.all("*", () => {
    throw new ClipmillError("not_found", "This endpoint is not supported.");
  });
  return app;
}
