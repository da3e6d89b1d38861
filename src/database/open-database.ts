import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types as pgTypes } from "pg";
import type { ConstructorOptions } from "pg-boss";
import { ClipmillError } from "#contract/errors.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import { renameSynced } from "#ground/sync-files.ts";
import { lockDataDir } from "./embedded/lock-data-dir.ts";
import {
  awaitLeftover,
  createCluster,
  findRunningServer,
  type RunningServer,
  startServer,
} from "./embedded/postgres-server.ts";
import { makeDataDirPrivate } from "./embedded/private-data-dir.ts";
import { explainOutage, explainOutages } from "./server/explain-outages.ts";
import { createServerListener } from "./server/listen-on-server.ts";
import { respondsWithin } from "./server/responds-within.ts";
import { openServerLines } from "./server/server-line.ts";
import type { Tables } from "./tables.ts";

export type Database = {
  db: Kysely<Tables>;
  /** Tasks claimed by another process are stale. */
  isEmbedded: boolean;
  bossOptions: ConstructorOptions;
  /**
   * Calls `onPayload` for each NOTIFY, and `onGap` when some may have been missed. Returns a function that stops
   * listening.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** Gives `act` a dedicated connection, for locks that outlast a transaction. */
  withSession<Result>(act: (connection: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** A server if `databaseUrl` is set, else Clipmill's own PostgreSQL in `dataDir`. */
export type DatabaseLocation = {
  databaseUrl?: string | undefined;
  /** Bypasses the pool, if `databaseUrl` is one that gives transactions other connections. */
  sessionUrl?: string | undefined;
  dataDir: string | null;
  /** Fills a new database before its first use. */
  fill?: ((database: Database) => Promise<void>) | null;
  /** Uses the database of a Clipmill that runs on `dataDir`, if there is one. */
  isShared?: boolean;
  /** Clipmill's own PostgreSQL stopped, for example on a full disk; later queries fail. */
  onStopped?: (error: ClipmillError) => void;
  /** Called once if a full disk delays the start of Clipmill's own PostgreSQL. */
  onNoRoom?: (error: ClipmillError) => void;
  /** Limits connections. */
  isWorker?: boolean;
};

/** In the data directory. */
export const DATABASE_FOLDER = "postgres";
const SOCKET_FOLDER = "postgres-socket";

/** For the log and checkpoint of the start. */
const MIN_FREE_BYTES = 64 * 1024 ** 2;
const CHECK_SPACE_MS = 2_000;

const STOPPED = "The database stopped unexpectedly. Saved data is safe. Start Clipmill again.";
const STOPPED_FULL =
  "The database stopped because its disk is full or failing. Saved data is safe. Free some space, then start Clipmill again.";

/** Each waits 100 ms longer than the one before, while a program adds files. */
const REMOVALS = 10;

const CLOSE_TIMEOUT_MS = 3_000;

/** Plus the queue's and the listener's. */
const MAX_CONNECTIONS = 10;
/** A worker opens at most six connections, which limits how many workers one database can serve. */
const MAX_WORKER_CONNECTIONS = 3;
const QUEUE_CONNECTIONS = 2;

/**
 * Throws ClipmillError "conflict" if another process holds the folder, "invalid" if it cannot be made private,
 * "no_space" if the disk is full and `onNoRoom` is absent, "system_error" if PostgreSQL does not start.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.databaseUrl) return openServer({ ...location, databaseUrl: location.databaseUrl });
  const dataDir = location.dataDir!;
  makeDataDirPrivate(dataDir);
  const folder = path.join(dataDir, DATABASE_FOLDER);
  await using stack = new AsyncDisposableStack();
  try {
    stack.defer(lockDataDir(dataDir));
  } catch (error) {
    const databaseUrl = location.isShared ? await findRunningServer(folder) : null;
    if (databaseUrl === null) throw error;
    return openServer({ databaseUrl });
  }
  await awaitDiskSpace(folder, location.onNoRoom);
  const run = (at: string, onEnd: (log: string) => void) =>
    startServer(at, { socketFolder: path.join(dataDir, SOCKET_FOLDER), onEnd });
  if (!existsSync(folder)) await makeFolder(folder, location.fill ?? null, (at) => run(at, () => {}));
  const server = await run(folder, (log) => void explainStop(folder, log).then(location.onStopped));
  stack.defer(() => server.stop());
  const database = openServer({ databaseUrl: server.url });
  stack.defer(() => database.close());
  const opened = stack.move();
  return { ...database, isEmbedded: true, close: () => opened.disposeAsync() };
}

async function explainStop(folder: string, log: string): Promise<ClipmillError> {
  const lack = await findLackOfSpace(folder).catch(() => null);
  return new ClipmillError("unavailable", lack ? STOPPED_FULL : STOPPED, { tail: log, facts: { log } });
}

/**
 * Under another name until it is complete, because it may be killed at any time. The name is new each time: a killed
 * start's programs may still write to theirs.
 */
async function makeFolder(
  folder: string,
  fill: ((database: Database) => Promise<void>) | null,
  run: (at: string) => Promise<RunningServer>,
): Promise<void> {
  await removeParts(folder);
  const part = `${folder}.part-${randomUUID()}`;
  await createCluster(part);
  if (fill) {
    const server = await run(part);
    await using stack = new AsyncDisposableStack();
    stack.defer(() => server.stop());
    const database = openServer({ databaseUrl: server.url });
    stack.defer(() => database.close());
    await fill(database);
  }
  await renameSynced(part, folder);
}

async function removeParts(folder: string): Promise<void> {
  const { dir, base } = path.parse(folder);
  for (const name of readdirSync(dir).filter((found) => found.startsWith(`${base}.part`))) {
    const part = path.join(dir, name);
    await awaitLeftover(part);
    rmSync(part, { recursive: true, force: true, maxRetries: REMOVALS });
  }
}

/** A full disk would end the start without a readable error. */
async function awaitDiskSpace(folder: string, onNoRoom?: (error: ClipmillError) => void): Promise<void> {
  let error = await findLackOfSpace(folder);
  if (error && !onNoRoom) throw error;
  if (error) onNoRoom?.(error);
  while (error) {
    await delay(CHECK_SPACE_MS);
    error = await findLackOfSpace(folder);
  }
}

async function findLackOfSpace(folder: string): Promise<ClipmillError | null> {
  const { freeBytes } = await readDiskSpace(existsSync(folder) ? folder : path.dirname(folder));
  if (freeBytes >= MIN_FREE_BYTES) return null;
  const sentence = `The disk that holds ${path.resolve(folder)} is full: the database needs ${MIN_FREE_BYTES / 1024 ** 2} MB to start. Free some space, then try again.`;
  return new ClipmillError("no_space", sentence);
}

function openServer({
  databaseUrl,
  sessionUrl,
  isWorker = false,
}: Pick<DatabaseLocation, "sessionUrl" | "isWorker"> & { databaseUrl: string }): Database {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") => parsers[oid] ?? pgTypes.getTypeParser(oid, format),
  };
  const line = openServerLines(databaseUrl, sessionUrl);
  const pool = openPool({ ...line.pooled, types, max: isWorker ? MAX_WORKER_CONNECTIONS : MAX_CONNECTIONS });
  // Separate, so leases are renewed while all other connections wait for locks.
  const queuePool = openPool({ ...line.pooled, max: QUEUE_CONNECTIONS });
  const listener = createServerListener(line);
  const db = openOn(pool);
  return {
    db,
    isEmbedded: false,
    async withSession(act) {
      if (sessionUrl === undefined) return await db.connection().execute(act);
      const own = openOn(openPool({ ...line.session, types, max: 1 }));
      try {
        return await own.connection().execute(act);
      } finally {
        await own.destroy();
      }
    },
    bossOptions: {
      db: {
        executeSql: (text, values) => queuePool.query(text, values).catch(explainOutage),
        listen: async (...args) => ({ close: await listener.listen(...args) }),
      },
    },
    listen: (channel, onPayload, onGap) => listener.listen(channel, onPayload, onGap),
    async close() {
      const closing = Promise.all([listener.close(), pool.end(), queuePool.end()]);
      // A dead connection never closes properly.
      if (!(await respondsWithin(closing, CLOSE_TIMEOUT_MS))) line.drop();
      await closing;
    },
  };
}

function openOn(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: explainOutages(pool) }) });
}

function openPool(options: PoolConfig): Pool {
  const pool = new Pool(options);
  // The pool replaces idle connections that drop; an unhandled error would end the process.
  pool.on("error", () => {});
  return pool;
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Same types on PGlite and a server. Counts and sizes stay far below 2^53. */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};
