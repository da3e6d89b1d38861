import type { Logger } from "pino";
import { type Change, CHANGES_CHANNEL, parseChanges } from "#database/changes.ts";
import type { Database } from "#database/open-database.ts";
import type { Context } from "#operations/context.ts";
import { readDelivery } from "#operations/deliveries/list-deliveries.ts";
import { readJobOutputsById, readJobVideosById, readLightJob } from "#operations/jobs/read/read-job.ts";

const ROWS_PER_READ = 500;

/** `record` is the current light row; null if deleted. */
export type RowChange = { change: Change; record: Record<string, unknown> | null };

export type ChangeListener = {
  isWanted(change: Change): boolean;
  tell(change: RowChange): void;
  /** Changes may have been missed: read again. */
  onGap(): void;
};

export type ChangeFeed = {
  add(listener: ChangeListener): void;
  remove(listener: ChangeListener): void;
  stop(): Promise<void>;
};

/** Reads each changed row once and sends it to interested listeners, in order. */
export async function startChangeFeed(
  context: Pick<Context, "db" | "links">,
  database: Database,
  log: Logger,
): Promise<ChangeFeed> {
  const listeners = new Set<ChangeListener>();
  let sending: Promise<void> = Promise.resolve();

  const isWantedByAny = (change: Change) => [...listeners].some((listener) => listener.isWanted(change));

  const sendAll = async (rows: RowChanges[]): Promise<void> => {
    for (let start = 0; start < rows.length; start += ROWS_PER_READ) {
      const chunk = rows.slice(start, start + ROWS_PER_READ);
      const parts = readParts(context, chunk);
      for (const { change, ops } of chunk) {
        try {
          for (const rowChange of toRowChanges(change, ops, await readRow(context, change, parts))) {
            for (const listener of listeners) if (listener.isWanted(rowChange.change)) listener.tell(rowChange);
          }
        } catch (error) {
          log.error({ err: error, table: change.table, id: change.id }, "could not send a live update");
          for (const listener of listeners) if (listener.isWanted(change)) listener.onGap();
        }
      }
    }
  };

  const changes = collectChanges((rows) => {
    // Sequential, to keep a row's states in order.
    sending = sending.then(() => sendAll(rows));
  });

  const unlisten = await database.listen(
    CHANGES_CHANNEL,
    (payload) => {
      for (const change of parseChanges(payload)) if (isWantedByAny(change)) changes.note(change);
    },
    () => {
      for (const listener of listeners) listener.onGap();
    },
  );
  return {
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
    async stop() {
      await unlisten();
      changes.stop();
      await sending;
    },
  };
}

/** An inserted and then updated row is sent as both: listeners may subscribe to one. */
function toRowChanges(change: Change, ops: Set<Change["op"]>, record: Record<string, unknown> | null): RowChange[] {
  if (ops.has("DELETE")) return [{ change: { ...change, op: "DELETE" }, record: null }];
  // Deleted since; its notice follows.
  if (!record) return [];
  return (["INSERT", "UPDATE"] as const)
    .filter((op) => ops.has(op))
    .map((op) => ({ change: { ...change, op }, record }));
}

const PART_READERS = { job_videos: readJobVideosById, job_outputs: readJobOutputsById };

type Parts = Record<keyof typeof PART_READERS, Promise<ReadonlyMap<string, Record<string, unknown>>>>;

/** In one query per table: a plan, review or cancellation changes thousands. */
function readParts(context: Pick<Context, "db" | "links">, rows: readonly RowChanges[]): Parts {
  const read = async (table: keyof Parts) => {
    const ids = rows.flatMap(({ change, ops }) => (change.table === table && !ops.has("DELETE") ? [change.id] : []));
    if (ids.length === 0) return new Map();
    return new Map((await PART_READERS[table](context, ids)).map((row) => [row.id, row]));
  };
  const parts = { job_videos: read("job_videos"), job_outputs: read("job_outputs") };
  // Each row that needs a part reports its failure, possibly after other rows were read.
  for (const part of Object.values(parts)) part.catch(() => {});
  return parts;
}

async function readRow(
  context: Pick<Context, "db" | "links">,
  { table, id, op }: Change,
  parts: Parts,
): Promise<Record<string, unknown> | null> {
  if (op === "DELETE") return null;
  switch (table) {
    case "jobs":
      return readLightJob(context, id);
    case "deliveries":
      return readDelivery(context, id);
    case "job_videos":
    case "job_outputs":
      return (await parts[table]).get(id) ?? null;
  }
}

/** A row's changes within this time are sent once. */
const COALESCE_MS = 10;
/** Progress is sent at most four times a second per job, status changes immediately. */
const PROGRESS_MS = 250;

type RowChanges = { change: Change; ops: Set<Change["op"]> };

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
