import { createMiddleware } from "hono/factory";
import { ClipmillError } from "#contract/errors.ts";
import type { ServerEnv } from "../server-context.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses a browser that acts for the page of another site where a cookie could speak for the operator. */
export const refuseOtherSites = createMiddleware<ServerEnv>(async (c, next) => {
  const site = c.req.header("sec-fetch-site");
  const isOther = site === "cross-site" || site === "same-site";
  if (isOther && !READING.has(c.req.method)) {
    throw new ClipmillError("unauthorized", "This call is not open to the pages of other sites.");
  }
  await next();
});
