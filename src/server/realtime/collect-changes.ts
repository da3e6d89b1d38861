import type { Change } from "#database/changes.ts";

/** A row's changes within this time are sent once. */
const COALESCE_MS = 10;
/** Progress is sent at most four times a second per job, status changes immediately. */
const PROGRESS_MS = 250;

export type RowChanges = { change: Change; ops: Set<Change["op"]> };

type JobChanges = { rows: Map<string, RowChanges>; sentMs: number; dueMs: number; timer: NodeJS.Timeout | undefined };

/** Debounces changes per job. Passes on each job's rows when due, ordered by first notice. */
export function collectChanges(onRows: (rows: RowChanges[]) => void): { note(change: Change): void; stop(): void } {
  const jobs = new Map<string, JobChanges>();

  const schedule = (jobId: string, job: JobChanges, dueMs: number, nowMs: number): void => {
    if (job.timer && job.dueMs <= dueMs) return;
    clearTimeout(job.timer);
    job.dueMs = dueMs;
    // Timers keep their order only for equal whole milliseconds from the same clock reading as `dueMs`.
    job.timer = setTimeout(() => flush(jobId, job), Math.round(dueMs - nowMs));
  };

  const flush = (jobId: string, job: JobChanges): void => {
    job.timer = undefined;
    if (job.rows.size === 0) {
      jobs.delete(jobId);
      return;
    }
    const rows = [...job.rows.values()];
    job.rows.clear();
    job.sentMs = performance.now();
    // Fires again for the next progress, or drops the job.
    schedule(jobId, job, job.sentMs + PROGRESS_MS, job.sentMs);
    onRows(rows);
  };

  return {
    note(change) {
      const job = jobs.get(change.job_id) ?? { rows: new Map(), sentMs: -PROGRESS_MS, dueMs: 0, timer: undefined };
      jobs.set(change.job_id, job);
      const key = `${change.table} ${change.id}`;
      const row = job.rows.get(key);
      if (row) row.ops.add(change.op);
      else job.rows.set(key, { change, ops: new Set([change.op]) });
      const nowMs = performance.now();
      const soonestMs = nowMs + COALESCE_MS;
      schedule(
        change.job_id,
        job,
        change.isProgress ? Math.max(soonestMs, job.sentMs + PROGRESS_MS) : soonestMs,
        nowMs,
      );
    },
    stop() {
      for (const job of jobs.values()) clearTimeout(job.timer);
    },
  };
}
