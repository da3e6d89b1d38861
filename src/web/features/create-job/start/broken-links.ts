import type { CheckedLinks } from "../links/check-links.ts";
import type { VideoRow } from "../videos/read-rows.ts";

export type BrokenLinks = { broken: number; all: number };

/**
 * Counts lines that are skipped and links whose check failed. Returns null unless more than half are broken. Also returns
 * null if all are, because then the checks themselves may have failed, for example without internet access.
 */
export function findBrokenLinks({ entries }: CheckedLinks, rows: readonly VideoRow[]): BrokenLinks | null {
  const sound = new Set(rows.filter(({ state }) => state !== "problem").map(({ key }) => key)).size;
  const broken = entries.length - sound;
  return sound > 0 && broken * 2 > entries.length ? { broken, all: entries.length } : null;
}
