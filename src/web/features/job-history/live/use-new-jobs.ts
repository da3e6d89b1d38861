import { useMemo, useState, useSyncExternalStore } from "react";
import type { Job } from "#contract/jobs/jobs.ts";

/** Scrolled beyond this, new jobs no longer shift the list. */
const AWAY_PX = 120;

export function useNewJobs(jobs: readonly Job[]) {
  const isAway = useSyncExternalStore(subscribeToScroll, isScrolledAway);
  const [since, setSince] = useState<string | null>(null);
  const newest = jobs[0]?.created_at ?? null;
  if (!isAway && since !== null) setSince(null);
  if (isAway && since === null && newest !== null) setSince(newest);

  const { shown, waiting } = useMemo(() => holdBack(jobs, since), [jobs, since]);
  return { shown, waiting };
}

/**
 * Scrolls to the top, which releases held-back jobs. Releasing them first would scroll the list back by their height.
 */
export function goToNewJobs(): void {
  window.scrollTo({ top: 0 });
}

function isScrolledAway(): boolean {
  return window.scrollY > AWAY_PX;
}

function subscribeToScroll(listener: () => void): () => void {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}

/** Holds back none for null. */
export function holdBack(jobs: readonly Job[], since: string | null): { shown: readonly Job[]; waiting: number } {
  if (since === null) return { shown: jobs, waiting: 0 };
  const firstShown = jobs.findIndex((job) => Date.parse(job.created_at) <= Date.parse(since));
  const waiting = firstShown === -1 ? jobs.length : firstShown;
  return { shown: waiting === 0 ? jobs : jobs.slice(waiting), waiting };
}
