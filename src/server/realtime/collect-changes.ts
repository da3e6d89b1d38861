import type { Change } from "#database/changes.ts";

/** Changes of one row within this time are told once, with the row as it is then. */
const COALESCE_MS = 10;
/** Mere progress of a job and its rows is told four times a second at most; a change of status waits for nobody. */
const PROGRESS_MS = 250;

/** What happened to a row since it was told last. */
export type RowChanges = { change: Change; ops: Set<Change["op"]> };

type JobChanges = { rows: Map<string, RowChanges>; sentMs: number; dueMs: number; timer: NodeJS.Timeout | undefined };

/** Collects changes by job and hands each job's over when their time has come, in the order of their first notice. */
export function collectChanges(tell: (rows: RowChanges[]) => void): { note(change: Change): void; stop(): void } {
  const jobs = new Map<string, JobChanges>();

  const sendBy = (jobId: string, job: JobChanges, dueMs: number, nowMs: number): void => {
    if (job.timer && job.dueMs <= dueMs) return;
    clearTimeout(job.timer);
    job.dueMs = dueMs;
    // Timers of equal length fire in the order they were set: whole milliseconds, from the same clock reading as `dueMs`.
    job.timer = setTimeout(() => handOver(jobId, job), Math.round(dueMs - nowMs));
  };

  const handOver = (jobId: string, job: JobChanges): void => {
    job.timer = undefined;
    if (job.rows.size === 0) {
      jobs.delete(jobId);
      return;
    }
    const rows = [...job.rows.values()];
    job.rows.clear();
    job.sentMs = performance.now();
    // Looks again when the next progress may be told, and forgets the job when there is none.
    sendBy(jobId, job, job.sentMs + PROGRESS_MS, job.sentMs);
    tell(rows);
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
      sendBy(change.job_id, job, change.isProgress ? Math.max(soonestMs, job.sentMs + PROGRESS_MS) : soonestMs, nowMs);
    },
    stop() {
      for (const job of jobs.values()) clearTimeout(job.timer);
    },
  };
}
