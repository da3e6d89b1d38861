import { useSyncExternalStore } from "react";
import type { Job } from "#contract/jobs/jobs.ts";

export type Timed = Pick<Job, "status" | "processing_started_at" | "updated_at" | "awaited_seconds" | "awaiting_since">;

/**
 * Counts until `nowMs` while Processing, otherwise until the last update, without waits for an approval. Null before the
 * start.
 */
export function elapsedSeconds(job: Timed, nowMs: number): number | null {
  if (!job.processing_started_at) return null;
  const endMs = job.status === "Processing" ? nowMs : Date.parse(job.updated_at);
  const awaitedMs =
    (job.awaited_seconds ?? 0) * 1000 + (job.awaiting_since ? endMs - Date.parse(job.awaiting_since) : 0);
  // The browser's clock may be behind the server's.
  return Math.max(0, Math.floor((endMs - Date.parse(job.processing_started_at) - awaitedMs) / 1000));
}

/** Formats as Xh Ym, Ym Zs or Zs; "--" for null. */
export function formatElapsed(seconds: number | null): string {
  if (seconds === null) return "--";
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0) return `${hours}h ${minutes}m`;
  if (minutes > 0) return `${minutes}m ${seconds % 60}s`;
  return `${seconds}s`;
}

/** One clock for all live times on screen; stopped without any. */
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = setInterval(tick, 1000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function standStill(): () => void {
  return () => undefined;
}

export function useNow(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? subscribe : standStill, () => nowMs);
}
