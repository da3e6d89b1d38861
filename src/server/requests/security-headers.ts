import { createMiddleware } from "hono/factory";
import { AUTHORIZATION_PATH } from "../oauth/metadata.ts";
import type { FramedPages } from "../pages/framed-pages.ts";
import { isGuestPage } from "../pages/static-app.ts";
import { isUpgrading } from "../realtime/connection.ts";
import type { ServerEnv } from "../server-context.ts";

/** React sets the style prop through the CSSOM, which this policy allows. */
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
 * Allows framing `framed` origins entirely, because their pages link to others. Images and videos may also come from
 * `filesOrigin`.
 */
export function securityHeaders(publicUrl: string | null, framed: FramedPages, filesOrigin: string | null) {
  const files = filesOrigin === null ? "" : ` ${filesOrigin}`;
  const media = [`img-src 'self' data: blob:${files}`, `media-src 'self' blob:${files}`];
  const policyFor = (origins: readonly string[]): string =>
    [...POLICY, ...media, `frame-src ${origins.join(" ") || "'none'"}`].join("; ");
  const isHttps = publicUrl?.startsWith("https://") ?? false;
  return createMiddleware<ServerEnv>(async (c, next) => {
    await next();
    // An upgraded connection's headers can no longer be set.
    if (isUpgrading(c)) return;
    if (!c.res.headers.has("cache-control")) c.header("Cache-Control", "no-store");
    // Hides from guests which pages operators embed.
    c.header("Content-Security-Policy", policyFor(isGuestPage(c.req.path) ? [] : framed.last()));
    c.header("X-Content-Type-Options", "nosniff");
    c.header("X-Frame-Options", "DENY");
    c.header("Referrer-Policy", "no-referrer");
    // An assistant that opens consent in a popup waits there for its own page.
    c.header("Cross-Origin-Opener-Policy", c.req.path === AUTHORIZATION_PATH ? "unsafe-none" : "same-origin");
    c.header("Cross-Origin-Resource-Policy", "same-origin");
    c.header("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
    if (isHttps) c.header("Strict-Transport-Security", "max-age=31536000");
  });
}
