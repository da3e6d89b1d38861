import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { parseRouteLine, type PublishedHeader, slugKey } from "#contract/cloak/published-config.ts";
import type { Counter } from "../counts.ts";
import type { Check } from "../health/health-state.ts";

/** Other modules change the counter and the check. */
export type ServedRoute = {
  id: string;
  primary: string;
  fallback: string | null;
  counter: Counter;
  /** Null without a fallback: a check would have no effect. */
  check: Check | null;
};

export type RoutingTable = {
  header: PublishedHeader;
  /** By host name, then path (see pathKey). */
  hosts: ReadonlyMap<string, ReadonlyMap<string, ServedRoute>>;
  counters: ReadonlyMap<string, Counter>;
  checks: ReadonlyMap<string, Check>;
};

export type Continuing = {
  counterOf(routeId: string): Counter;
  checkOf(url: string): Check;
};

/** Then yields to visitors' requests. */
const LINES_PER_TURN = 500;

/** Throws ClipmillError "invalid" if the version cannot be served. */
export async function buildRoutingTable(
  header: PublishedHeader,
  lines: Iterable<string>,
  continuing: Continuing,
): Promise<RoutingTable> {
  const hosts = new Map<string, Map<string, ServedRoute>>();
  const counters = new Map<string, Counter>();
  const checks = new Map<string, Check>();
  let count = 0;
  for (const line of lines) {
    const { id, domain, slug, primary, fallback } = parseRouteLine(line);
    const routes = hosts.get(domain) ?? new Map<string, ServedRoute>();
    hosts.set(domain, routes);
    const key = slugKey(slug);
    if (routes.has(key) || counters.has(id)) {
      throw new ClipmillError("invalid", "The document is not valid: it contains a route twice.");
    }
    const counter = continuing.counterOf(id);
    counters.set(id, counter);
    const location = toLocation(primary);
    const check = fallback === null ? null : (checks.get(location) ?? continuing.checkOf(location));
    if (check) checks.set(location, check);
    routes.set(key, {
      id,
      primary: location,
      fallback: fallback === null ? null : toLocation(fallback),
      counter,
      check,
    });
    count += 1;
    if (count % LINES_PER_TURN === 0) await yieldToEventLoop();
  }
  if (count !== header.routes) {
    throw new ClipmillError("invalid", "The document is not valid: its number of routes does not match its header.");
  }
  return { header, hosts, counters, checks };
}

/** A header allows neither Unicode nor line breaks. */
function toLocation(url: string): string {
  return new URL(url).href;
}
