import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";

const WORKER = path.join(import.meta.dirname, "simulated-worker.ts");
const SAMPLE_MS = 500;

/** `slots` is the number of concurrent videos per worker. */
export type WorkerProcess = { workers: number; slots: number };

/** Resolves when all workers wait for videos. Returns a function that stops them. */
export async function startWorkers(
  databaseUrl: string,
  videoMs: number,
  processes: readonly WorkerProcess[],
): Promise<() => Promise<void>> {
  const children = processes.map(({ workers, slots }) =>
    spawn(process.execPath, [WORKER, databaseUrl, String(workers), String(videoMs), String(slots)], {
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map(untilReady));
  return async () => {
    await Promise.all(
      children.map(async (child) => {
        child.kill("SIGTERM");
        await once(child, "exit");
      }),
    );
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit").then(() => {
    throw new Error("A worker did not start.");
  });
  await Promise.race([once(child.stdout!, "data"), exited]);
  // Exits later on are as ordered.
  exited.catch(() => {});
}

export type Watched = {
  /** Maximum, over all clients. */
  connections: number;
  /** Average number of connections that waited for each kind of lock. */
  waiting: string;
};

/** Watches the database's connections meanwhile. */
export async function untilEnded(db: Kysely<Tables>, jobIds: readonly string[]): Promise<Watched> {
  const sums = new Map<string, number>();
  let connections = 0;
  for (let samples = 1; ; samples += 1) {
    const { rows } = await sql<{ open: number; connections: number; waits: Record<string, number> | null }>`
      select (select count(*)::int from jobs where id = any(${jobIds}::uuid[]) and status in ('Queued', 'Processing')) as open,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        (select json_object_agg(wait_event, waiting) from (
          select wait_event, count(*)::int as waiting from pg_stat_activity
          where wait_event_type = 'Lock' group by wait_event) events) as waits`.execute(db);
    const { open, waits, ...sample } = rows[0]!;
    connections = Math.max(connections, sample.connections);
    for (const [name, waiting] of Object.entries(waits ?? {})) sums.set(name, (sums.get(name) ?? 0) + waiting);
    if (open === 0) {
      const means = [...sums].map(([name, sum]) => `${(sum / samples).toFixed(2)} ${name}`);
      return { connections, waiting: means.join(", ") || "none" };
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}
