import { createRecentMap } from "#ground/recent-map.ts";
import type { Probe } from "#media/probe/probe-report.ts";
import type { Use } from "#media/probe/probe.ts";

const MAX_PROBES = 500;

/** By content, so that a file of many videos or jobs is probed once. */
export type ProbeCache = {
  find(use: Use, revision: string): Probe | undefined;
  remember(use: Use, revision: string, probe: Probe): void;
};

export function createProbeCache(maxProbes = MAX_PROBES): ProbeCache {
  const probes = createRecentMap<Probe>(maxProbes);
  return {
    find: (use, revision) => probes.get(`${use} ${revision}`),
    remember: (use, revision, probe) => probes.set(`${use} ${revision}`, probe),
  };
}
