import path from "node:path";
import type { PrefetchSources } from "#operations/sources/prepare-sources.ts";
import { createPrefetcher } from "#worker/sources/create-prefetcher.ts";
import { createPrefetchSources } from "#worker/sources/prefetch-links.ts";
import { createProbeCache } from "#worker/sources/probe-cache.ts";
import type { WorkerContext } from "#worker/worker-context.ts";
import type { Foundation } from "../open-foundation.ts";
import type { Machine } from "../open-machine.ts";

export type Prefetching = Pick<WorkerContext, "probes" | "prefetcher" | "scratchRoot"> & {
  prefetchSources: PrefetchSources;
} & AsyncDisposable;

export function openPrefetching({ dataDir, context, log }: Foundation, { tools, sources, disk }: Machine): Prefetching {
  const scratchRoot = path.join(dataDir, "scratch");
  const probes = createProbeCache();
  const prefetcher = createPrefetcher({ context, tools, sources, probes, disk, scratchRoot });
  const prefetchSources = createPrefetchSources({ context, prefetcher, log });
  return { scratchRoot, probes, prefetcher, prefetchSources, [Symbol.asyncDispose]: () => prefetcher.stop() };
}
