/** Where a link of a mail may lead: to our own pages alone, since the session travels with it. */
import type { Context } from "hono";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { cameOverHttps } from "./sessions/came-over-https.ts";

const LONGEST_TARGET = 2_000;

/** The page that a mail's link should lead to; null for the app's first, and for pages that are not ours. */
export function redirectOfMail(server: ServerContext, c: Context<ServerEnv>): string | null {
  return server.publicUrl ? ownPage(c.req.query("redirect_to"), server.publicUrl) : null;
}

/** The page to send a browser to that opened a link. */
export function redirectOfLink(server: ServerContext, c: Context<ServerEnv>): string {
  const asked = c.req.query("redirect_to");
  const here = `${cameOverHttps(server, c) ? "https" : "http"}://${c.req.header("host") ?? "localhost"}`;
  const bases = server.publicUrl ? [server.publicUrl, here] : [here];
  for (const base of bases) {
    const page = ownPage(asked, base);
    if (page) return page;
  }
  return `${server.publicUrl ?? ""}/`;
}

/** The address when it is a page under `base`, without its fragment; else null. */
function ownPage(asked: string | undefined, base: string): string | null {
  const own = URL.parse(`${base}/`);
  const target = own && asked && asked.length <= LONGEST_TARGET ? URL.parse(asked, own) : null;
  if (!target) return null;
  target.hash = "";
  // The parsed form is compared, with its path made whole: "//elsewhere", "\\elsewhere" and "user@elsewhere" are told.
  return target.href.startsWith(own!.href) ? target.href : null;
}
