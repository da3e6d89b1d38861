/** All calls throw CallError. */
import type {
  CloakStateResponse,
  EnvironmentCheck,
  PublishRequest,
  PublishResult,
  Domain,
  DomainStatus,
  Route,
} from "#contract/cloak/cloak.ts";
import { CallError } from "./call-error.ts";
import { callFunction } from "./call-function.ts";
import { openTables, requireRows } from "../tables.ts";

export type ListedDomain = Domain & { routes: [{ count: number }] };

export type ListedRoute = Route & { domains: { name: string } };

export type RouteDraft = Pick<Route, "domain_id" | "slug" | "primary_url" | "fallback_url" | "active">;

const GONE = {
  domain: "Someone else deleted this domain.",
  route: "Someone else deleted this route.",
} as const;

/** Lists the newest first. */
export async function listDomains(signal: AbortSignal): Promise<ListedDomain[]> {
  const tables = await openTables();
  const query = tables.from("domains").select("*,routes(count)").order("created_at", { ascending: false });
  return requireRows(await query.abortSignal(signal)) as ListedDomain[];
}

/** The server rejects invalid and duplicate host names. */
export async function addDomain(draft: { name: string; notes: string | null }): Promise<void> {
  const tables = await openTables();
  requireRows(await tables.from("domains").insert(draft));
}

/** Also applies to the domain's routes. */
export async function setDomainStatus({ id, status }: { id: string; status: DomainStatus }): Promise<void> {
  const tables = await openTables();
  requireTouched(await tables.from("domains").update({ status }).eq("id", id).select("id"), GONE.domain);
}

/** Also deletes the domain's routes. Throws a 404 if it no longer exists. */
export async function deleteDomain(id: string): Promise<void> {
  const tables = await openTables();
  requireTouched(await tables.from("domains").delete().eq("id", id).select("id"), GONE.domain);
}

/** A domain may have 100,000 routes, too large for one response. */
const ROUTES_PER_PAGE = 5_000;

/** Lists the newest first, page by page; null means all domains. */
export async function listRoutes(domainId: string | null, signal: AbortSignal): Promise<ListedRoute[]> {
  const tables = await openTables();
  const found = new Map<string, ListedRoute>();
  for (let from = 0; ; from += ROUTES_PER_PAGE) {
    const query = tables.from("routes").select("*,domains(name)").order("created_at", { ascending: false });
    const filtered = domainId === null ? query : query.eq("domain_id", domainId);
    const page = filtered.range(from, from + ROUTES_PER_PAGE - 1).abortSignal(signal);
    const rows = requireRows(await page) as ListedRoute[];
    // A route added meanwhile shifts others to the next page.
    for (const row of rows) found.set(row.id, row);
    if (rows.length < ROUTES_PER_PAGE) return [...found.values()];
  }
}

/** The server rejects invalid fields, missing or inactive domains, and taken slugs. */
export async function addRoute(draft: RouteDraft): Promise<void> {
  const tables = await openTables();
  requireRows(await tables.from("routes").insert(draft));
}

/** Throws a 404 if the route no longer exists. */
export async function changeRoute({ id, draft }: { id: string; draft: RouteDraft }): Promise<void> {
  const tables = await openTables();
  requireTouched(await tables.from("routes").update(draft).eq("id", id).select("id"), GONE.route);
}

/** Throws a 404 if the route no longer exists. */
export async function deleteRoute(id: string): Promise<void> {
  const tables = await openTables();
  requireTouched(await tables.from("routes").delete().eq("id", id).select("id"), GONE.route);
}

/** Checks whether the server can publish. Callers must validate the result. */
export function checkEnvironment(signal: AbortSignal): Promise<unknown> {
  return callFunction<EnvironmentCheck>("cloak-env-validator", {}, { signal });
}

/** Returns expected rejections instead of throwing. */
export function publishConfig(request: PublishRequest): Promise<PublishResult> {
  return callFunction("cloak-publisher", request);
}

/** Returns up to 500 pending changes, the last 10 versions, and the routes' health and redirects. */
export function readCloakState(signal: AbortSignal): Promise<CloakStateResponse> {
  return callFunction("cloak-state", { method: "GET" }, { signal });
}

/** Throws a 404 with the message `gone` if no row matched. */
function requireTouched(response: Parameters<typeof requireRows>[0], gone: string): void {
  const rows = requireRows(response) as unknown[];
  if (rows.length === 0) throw new CallError(404, gone);
}
