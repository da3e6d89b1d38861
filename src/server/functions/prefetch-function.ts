import type { Hono } from "hono";
import { ClipmillError } from "#contract/errors.ts";
import { PREFETCH_SECONDS, type PrefetchResponse, prefetchSchema } from "#contract/sources/preflight.ts";
import { parseInput } from "#operations/parse-input.ts";
import { readPrefetchSources } from "#operations/settings/prefetch-setting.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** More are a script's mistake. */
const MAX_FORMS = 200;

/** Fetches an open form's videos while its calls continue. */
export function addPrefetchFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  const leases = new Map<string, AbortController>();

  const renew = (owner: string): AbortSignal => {
    const lease = new AbortController();
    leases.set(owner, lease);
    const end = (): void => {
      lease.abort();
      if (leases.get(owner) === lease) leases.delete(owner);
    };
    setTimeout(end, PREFETCH_SECONDS * 1_000).unref();
    return lease.signal;
  };

  app.post("/prefetch", limitBody(1), async (c) => {
    const { links, form } = parseInput(prefetchSchema, await readJson(c));
    const { prefetchSources } = server;
    if (!prefetchSources || !(await readPrefetchSources(server))) {
      return c.json({ isPrefetching: false } satisfies PrefetchResponse);
    }
    const owner = `${c.get("operator").sessionId} ${form}`;
    if (!leases.has(owner) && leases.size >= MAX_FORMS) {
      throw new ClipmillError("too_many", "Too many open forms are prefetching videos. Close some of them.");
    }
    // Not awaited: lasts until all videos are fetched, and reports nothing.
    void prefetchSources(links, owner, renew(owner));
    return c.json({ isPrefetching: true } satisfies PrefetchResponse);
  });
}
