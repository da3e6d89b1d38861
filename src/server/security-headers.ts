import { createMiddleware } from "hono/factory";
import type { FramedPages } from "./framed-pages.ts";
import { isUpgrading } from "./realtime/is-handshake.ts";
import type { ServerEnv } from "./server-context.ts";

/** Scripts and styles come from our own files alone. React sets the style prop through the CSSOM, which this allows. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/**
 * The headers that every answer carries; over https also the order to stay there. Of other origins only those of `framed` may
 * be shown in a frame: by origin, as such a page leads to others of its own. Pictures and films may come from `filesOrigin` too, if there is one.
 */
export function securityHeaders(publicUrl: string | null, framed: FramedPages, filesOrigin: string | null) {
  const files = filesOrigin === null ? "" : ` ${filesOrigin}`;
  const media = [`img-src 'self' data: blob:${files}`, `media-src 'self' blob:${files}`];
  const policyFor = (origins: readonly string[]): string =>
    [...POLICY, ...media, `frame-src ${origins.join(" ") || "'none'"}`].join("; ");
  const isHttps = publicUrl?.startsWith("https://") ?? false;
  return createMiddleware<ServerEnv>(async (c, next) => {
    await next();
    // An upgraded connection has no headers of its own left to set.
    if (isUpgrading(c)) return;
    if (!c.res.headers.has("cache-control")) c.header("Cache-Control", "no-store");
    c.header("Content-Security-Policy", policyFor(framed.last()));
    c.header("X-Content-Type-Options", "nosniff");
    c.header("X-Frame-Options", "DENY");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cross-Origin-Opener-Policy", "same-origin");
    c.header("Cross-Origin-Resource-Policy", "same-origin");
    c.header("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
    if (isHttps) c.header("Strict-Transport-Security", "max-age=31536000");
  });
}
