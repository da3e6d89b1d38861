import { setTimeout as delay } from "node:timers/promises";
import type { VideoProgress, VideoRecords } from "#operations/jobs/videos/video-records.ts";
import { isUnavailable } from "#operations/attempts/retry-until-written.ts";

/** 250 times the last write's duration, within limits, so that a slow database gets fewer writes. */
const GAP = { minMs: 500, perMs: 250, maxMs: 2_000 };

/**
 * Writes at most twice a second, and only the outputs that advanced. `settle` writes the rest and rejects with the
 * first failed write. Progress is dropped while the database is unavailable.
 */
export function createProgressReporter(records: Pick<VideoRecords, "report">): {
  report(progress: VideoProgress): void;
  settle(): Promise<void>;
} {
  let newest: VideoProgress | null = null;
  let writing: Promise<void> | null = null;
  /** Whole percent by output id. */
  const written = new Map<string, number>();
  const settling = Promise.withResolvers<void>();

  const write = async (progress: VideoProgress): Promise<boolean> => {
    try {
      await records.report(progress);
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  };
  const writeAll = async (): Promise<void> => {
    while (newest) {
      const progress: VideoProgress = newest;
      newest = null;
      const startedMs = performance.now();
      const outputs = [...progress.outputs].filter(([id, share]) => written.get(id) !== toPercent(share));
      if (await write({ ...progress, outputs: new Map(outputs) })) {
        for (const [id, share] of outputs) written.set(id, toPercent(share));
      }
      const wantedMs = GAP.perMs * (performance.now() - startedMs);
      const gapMs = Math.min(Math.max(wantedMs, GAP.minMs), GAP.maxMs);
      await Promise.race([delay(gapMs), settling.promise]);
    }
    writing = null;
  };
  return {
    report(progress) {
      newest = progress;
      writing ??= writeAll();
      // `settle` reports it.
      writing.catch(() => {});
    },
    async settle() {
      settling.resolve();
      await writing;
    },
  };
}

function toPercent(share: number): number {
  return Math.floor(share * 100);
}
