import type { Context } from "hono";
import type { TokenScope } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { requireScope } from "#operations/tokens/require-scope.ts";
import type { ServerEnv } from "../server-context.ts";

type Parameters = Record<string, unknown>;

/**
 * Null: any token. A function gets all parameters (query before body), and the body alone, because some calls ignore
 * the query.
 */
type Need = TokenScope | null | ((parameters: Parameters, body: Parameters) => TokenScope | readonly TokenScope[]);

export const READS_OF_JOBS = new Set<unknown>([
  ...["list", "dashboard", "videos", "outputs", "events", "manifest", "feedback", "approved", "source", "links"],
]);

const READS_OF_WATCH_FOLDERS = new Set<unknown>(["list", "files"]);

/** Starting, changing or deleting a job with links changes Cloak Manager routes. */
const WRITES_OF_LINKS = ["jobs:write", "cloak"] as const satisfies TokenScope[];

function needOfWrite(parameters: Parameters, body: Parameters): TokenScope | readonly TokenScope[] {
  const { action } = parameters;
  const touchesLinks =
    action === "make-links" ||
    (action === "delete" && parameters.delete_links === true) ||
    [parameters, body].some(
      (part) => hasLinks(part) || hasLinks(part.settings) || hasLinks(asObject(part.manifest).request),
    );
  return touchesLinks ? WRITES_OF_LINKS : "jobs:write";
}

function hasLinks(settings: unknown): boolean {
  return Object.entries(asObject(settings)).some(([name, value]) => name.startsWith("link_") && value !== null);
}

/** A watch folder can turn a preset's settings into routes and deliveries. */
function needOfPreset({ settings }: Parameters): readonly TokenScope[] {
  const { destinations } = asObject(settings);
  const delivers = destinations !== undefined && destinations !== null && [destinations].flat().length > 0;
  return ["sets", ...(hasLinks(settings) ? ["cloak" as const] : []), ...(delivers ? ["jobs:write" as const] : [])];
}

/** A connection can read more than jobs do. */
function needOfWatchFolder({ action }: Parameters, body: Parameters): TokenScope | readonly TokenScope[] {
  if (READS_OF_WATCH_FOLDERS.has(action)) return "jobs:read";
  return (body.connection_id ?? null) === null ? "jobs:write" : ["jobs:write", "settings"];
}

function asObject(value: unknown): Parameters {
  return typeof value === "object" && value !== null ? (value as Parameters) : {};
}

const JOBS_PATH = "/functions/v1/jobs";

/** By path. Others need a signed-in session: sign-in, sessions and tokens. */
const NEEDS: Record<string, Need> = {
  "/openapi.json": null,
  "/uploads": "library",
  "/uploads/tus": "library",
  [JOBS_PATH]: (parameters, body) =>
    READS_OF_JOBS.has(parameters.action) ? "jobs:read" : needOfWrite(parameters, body),
  "/functions/v1/job-table": needOfWrite,
  // Nothing is delivered or changed without one of these fields.
  "/functions/v1/deliveries": ({ destination_id: destination, action }) =>
    destination === undefined && action === undefined ? "jobs:read" : "jobs:write",
  "/functions/v1/vps-integration/cancel": "jobs:write",
  "/functions/v1/preview": "jobs:write",
  "/functions/v1/preflight": "jobs:write",
  "/functions/v1/prefetch": "jobs:write",
  "/functions/v1/check-captions": "jobs:write",
  "/functions/v1/generate-captions": "jobs:write",
  "/functions/v1/analyze-video-captions": "jobs:write",
  // They create jobs.
  "/functions/v1/watch-folders": needOfWatchFolder,
  "/functions/v1/caption-sets": "sets",
  "/functions/v1/audio-sets": "sets",
  "/functions/v1/library": "library",
  "/functions/v1/cloak-env-validator": "cloak",
  "/functions/v1/cloak-publisher": "cloak",
  "/functions/v1/cloak-state": "cloak",
  "/functions/v1/settings": "settings",
  "/functions/v1/test-key": "settings",
  "/functions/v1/connections": "settings",
  "/functions/v1/webhooks": "settings",
  "/functions/v1/destinations": "settings",
  "/functions/v1/embedded-pages": "settings",
  "/functions/v1/system": "admin",
  "/functions/v1/audit": "admin",
};

const TABLE_NEEDS: Record<string, "jobs" | "presets" | TokenScope> = {
  jobs: "jobs",
  job_videos: "jobs",
  job_outputs: "jobs",
  caption_sets: "sets",
  audio_sets: "sets",
  presets: "presets",
  preset_versions: "sets",
  brand_kits: "sets",
  domains: "cloak",
  routes: "cloak",
};

const RESUMABLE_PATH = /^\/uploads\/tus\/[^/]+$/;
const TABLE_PATH = /^\/rest\/v1\/(\w+)$/;

/** Throws ClipmillError "forbidden" unless the scopes suffice, if necessary when the body has been read. */
export function checkScopes(c: Context<ServerEnv>, scopes: readonly TokenScope[]): void {
  const need = needOf(c.req.method, c.req.path);
  // Regardless of the body; rejects a faulty query before reading it.
  if (need === needOfPreset) requireScope({ scopes }, "sets");
  if (typeof need !== "function") requireScopes(need, scopes);
  else if (c.req.method === "GET" || c.req.method === "HEAD") requireScopes(need(c.req.query(), {}), scopes);
  else {
    c.set("checkBody", (value) => {
      const body = asObject(value);
      requireScopes(need({ ...body, ...c.req.query() }, body), scopes);
    });
  }
}

/** Returns the required scopes, joined by "and"; null for any token, "session" if no token may. */
export function scopeOf(method: string, path: string, parameters: Parameters): string | null {
  const need = needOf(method, path);
  if (need === undefined) return "session";
  return typeof need === "function" ? [need(parameters, parameters)].flat().join(" and ") : need;
}

function needOf(method: string, path: string): Need | undefined {
  if (RESUMABLE_PATH.test(path)) return "library";
  const isRead = method === "GET" || method === "HEAD";
  // Without an action, GET reads the dashboard; POST creates a job.
  if (path === JOBS_PATH && isRead) return "jobs:read";
  const table = TABLE_PATH.exec(path)?.[1];
  if (table === undefined) return Object.hasOwn(NEEDS, path) ? NEEDS[path] : undefined;
  const need = Object.hasOwn(TABLE_NEEDS, table) ? TABLE_NEEDS[table] : undefined;
  if (need === "jobs") return isRead ? "jobs:read" : "jobs:write";
  if (need === "presets") return isRead || method === "DELETE" ? "sets" : needOfPreset;
  return need;
}

/** An undefined scope is never included. */
function requireScopes(
  need: TokenScope | readonly TokenScope[] | null | undefined,
  scopes: readonly TokenScope[],
): void {
  if (need === null) return;
  if (need === undefined) throw new ClipmillError("forbidden", "API tokens cannot do this. Sign in instead.");
  for (const one of [need].flat()) requireScope({ scopes }, one);
}
