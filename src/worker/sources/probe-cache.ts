import type { Probe } from "#media/probe/probe-report.ts";
import type { Use } from "#media/probe/probe.ts";

const MAX_PROBES = 500;

/** Remembers probes by content, so that a track of many videos, or a video of many jobs, is probed once. */
export type ProbeCache = {
  /** `revision` identifies the content. */
  find(use: Use, revision: string): Probe | undefined;
  remember(use: Use, revision: string, probe: Probe): void;
};

/** Creates a cache of the most recently used probes, in memory. */
export function createProbeCache(maxProbes = MAX_PROBES): ProbeCache {
  // in the order of use
  const probes = new Map<string, Probe>();
  const remember = (key: string, probe: Probe): void => {
    probes.delete(key);
    probes.set(key, probe);
    for (const oldest of probes.keys()) {
      if (probes.size <= maxProbes) break;
      probes.delete(oldest);
    }
  };
  return {
    find(use, revision) {
      const key = `${use} ${revision}`;
      const found = probes.get(key);
      if (found) remember(key, found);
      return found;
    },
    remember: (use, revision, probe) => remember(`${use} ${revision}`, probe),
  };
}
