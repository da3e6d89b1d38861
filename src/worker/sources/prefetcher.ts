import type { Probe, Use } from "#media/probe/probe.ts";
import type { BackgroundTurns, Rank } from "./background-turns.ts";

/** `jobId` is where a file without a known revision is cached; without one, such a file is not fetched. */
export type Prefetch = { link: string; use: Use; jobId: string | null };

export type Prefetched = { probe: Probe; sizeBytes: number };

export type Prefetcher = Pick<BackgroundTurns, "foreground"> & {
  /**
   * Fetches a source into the cache and probes it, in its turn. Throws what `fetchVideo`, `fetchTrack` and `probe`
   * throw, "no_space" unless the disk has enough space, and the signal's reason.
   */
  prefetch(source: Prefetch, rank: Rank, signal: AbortSignal): Promise<Prefetched>;
  /** Cancels all prefetches. Resolves once none runs. */
  stop(): Promise<void>;
};
