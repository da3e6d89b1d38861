import type { Probe, Use } from "#media/probe/probe.ts";
import type { BackgroundTurns, Rank } from "./background-turns.ts";

/** `jobId` scopes the cache entry of a file of unknown revision; null skips such files. */
export type Prefetch = { link: string; use: Use; jobId: string | null };

export type Prefetched = { probe: Probe; sizeBytes: number };

export type Prefetcher = Pick<BackgroundTurns, "foreground"> & {
  /**
   * Throws what `fetchVideo`, `fetchTrack` and `probe` throw, "no_space" if disk space is low, and the signal's reason.
   */
  prefetch(source: Prefetch, rank: Rank, signal: AbortSignal): Promise<Prefetched>;
  stop(): Promise<void>;
};
