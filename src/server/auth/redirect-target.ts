/** Mail links carry the session, so they redirect only to Clipmill's own pages. */
import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { isHttpsRequest } from "./sessions/is-https-request.ts";

const MAX_TARGET = 2_000;

export function redirectOfMail(server: ServerContext, c: Context<ServerEnv>): string | null {
  return server.publicUrl ? ownPage(c.req.query("redirect_to"), server.publicUrl) : null;
}

/** Returns the requested page if it is below the public URL or the request's own address, else the first page. */
export function redirectOfLink(server: ServerContext, c: Context<ServerEnv>): string {
  const requested = c.req.query("redirect_to");
  const currentBase = `${isHttpsRequest(server, c) ? "https" : "http"}://${c.req.header("host") ?? "localhost"}`;
  const bases = server.publicUrl ? [server.publicUrl, currentBase] : [currentBase];
  for (const base of bases) {
    const page = ownPage(requested, base);
    if (page) return page;
  }
  return `${server.publicUrl ?? ""}/`;
}

function ownPage(requested: string | undefined, base: string): string | null {
  const own = URL.parse(`${base}/`);
  const target = own && requested && requested.length <= MAX_TARGET ? URL.parse(requested, own) : null;
  if (!target) return null;
  target.hash = "";
  // With the base's trailing slash, this rejects "//elsewhere", "\\elsewhere" and "user@elsewhere".
  return target.href.startsWith(own!.href) ? target.href : null;
}
