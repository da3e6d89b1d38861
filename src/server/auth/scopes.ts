import type { Context } from "hono";
import type { TokenScope } from "#contract/api-tokens.ts";
import { ClipmillError } from "#contract/errors.ts";
import { requireScope } from "#operations/tokens/find-token.ts";
import type { ServerEnv } from "../server-context.ts";

type Fields = Record<string, unknown>;

/** Null: any token. A function gets a row to write. */
type Need = TokenScope | null | ((row: Fields) => readonly TokenScope[]);

/** Starting, changing or deleting a job with links changes Cloak Manager routes. */
export function scopeOfLinks(touchesLinks: boolean): TokenScope | TokenScope[] {
  return touchesLinks ? ["jobs:write", "cloak"] : "jobs:write";
}

export function hasLinks(settings: unknown): boolean {
  return Object.entries(asFields(settings)).some(([name, value]) => name.startsWith("link_") && value !== null);
}

export function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** A watch folder can turn a preset's settings into routes and deliveries. */
function needOfPreset({ settings }: Fields): readonly TokenScope[] {
  const { destinations } = asFields(settings);
  const delivers = destinations !== undefined && destinations !== null && [destinations].flat().length > 0;
  return ["sets", ...(hasLinks(settings) ? ["cloak" as const] : []), ...(delivers ? ["jobs:write" as const] : [])];
}

/** By path, besides functions and tables. Others need a signed-in session: sign-in. */
// The tools of "/mcp" make calls that check their own scopes.
const NEEDS: Record<string, Need> = {
  "/openapi.json": null,
  "/mcp": null,
  "/uploads": "library",
  "/uploads/tus": "library",
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

/** Throws ClipmillError "forbidden" unless the path's scopes suffice, if necessary when the body has been read. */
export function checkScopes(c: Context<ServerEnv>, scopes: readonly TokenScope[]): void {
  const need = needOf(c.req.method, c.req.path);
  if (typeof need !== "function") return requireScopes(need, scopes);
  // Regardless of the body; rejects an invalid query before reading it.
  requireScope({ scopes }, "sets");
  c.set("checkRow", (row) => {
    requireScopes(need(asFields(row)), scopes);
  });
}

/** Returns the scope that a table's call needs whatever it writes. */
export function scopeOfTable(method: string, path: string): string {
  const need = needOf(method, path);
  return [typeof need === "function" ? need({}) : need].flat().join(" and ");
}

function needOf(method: string, path: string): Need | undefined {
  if (RESUMABLE_PATH.test(path)) return "library";
  const table = TABLE_PATH.exec(path)?.[1];
  if (table === undefined) return Object.hasOwn(NEEDS, path) ? NEEDS[path] : undefined;
  const isRead = method === "GET" || method === "HEAD";
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
