/** Decides where a mail's link may redirect: only to Clipmill's own pages, because the redirect carries the session. */
import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { cameOverHttps } from "./sessions/came-over-https.ts";

const LONGEST_TARGET = 2_000;

/** Returns the page for a mail's link to redirect to; null for the start page and for foreign pages. */
export function redirectOfMail(server: ServerContext, c: Context<ServerEnv>): string | null {
  return server.publicUrl ? ownPage(c.req.query("redirect_to"), server.publicUrl) : null;
}

/** Returns the page to redirect to after a link was opened. */
export function redirectOfLink(server: ServerContext, c: Context<ServerEnv>): string {
  const requested = c.req.query("redirect_to");
  const currentBase = `${cameOverHttps(server, c) ? "https" : "http"}://${c.req.header("host") ?? "localhost"}`;
  const bases = server.publicUrl ? [server.publicUrl, currentBase] : [currentBase];
  for (const base of bases) {
    const page = ownPage(requested, base);
    if (page) return page;
  }
  return `${server.publicUrl ?? ""}/`;
}

/** Returns the address without its fragment if it is a page under `base`, otherwise null. */
function ownPage(requested: string | undefined, base: string): string | null {
  const own = URL.parse(`${base}/`);
  const target = own && requested && requested.length <= LONGEST_TARGET ? URL.parse(requested, own) : null;
  if (!target) return null;
  target.hash = "";
  // Comparing the parsed address with the base and its trailing slash rejects "//elsewhere", "\\elsewhere" and
  // "user@elsewhere".
  return target.href.startsWith(own!.href) ? target.href : null;
}
