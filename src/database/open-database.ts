import { existsSync, fsyncSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types as pgTypes } from "pg";
import { fromPglite, type ConstructorOptions } from "pg-boss";
import { respondsWithin } from "./server/responds-within.ts";
import { explainOutage, explainOutages } from "./server/explain-outages.ts";
import { createServerListener } from "./server/listen-on-server.ts";
import { ClipmillError } from "#contract/errors.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import { renameSynced, syncTree } from "#ground/sync-files.ts";
import { lockDataDir } from "./embedded/lock-data-dir.ts";
import { parsers } from "./parsers.ts";
import { pgliteDialect } from "./embedded/pglite-dialect.ts";
import { makeDataDirPrivate } from "./embedded/private-data-dir.ts";
import { PrivateFiles } from "./embedded/private-files.ts";
import { openServerLines } from "./server/server-line.ts";
import { stopOnPanic } from "./embedded/stop-on-panic.ts";
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

/** A server if `databaseUrl` is set, else a folder, or memory for a null `dataDir`. */
export type DatabaseLocation = {
  databaseUrl?: string | undefined;
  /** Bypasses the pool, if `databaseUrl` is one that gives transactions other connections. */
  sessionUrl?: string | undefined;
  dataDir: string | null;
  /** The embedded database stopped, for example on a full disk; later queries fail. */
  onStopped?: (fault: ClipmillError) => void;
  /** Called once if a full disk delays the start of the embedded database. */
  onNoRoom?: (fault: ClipmillError) => void;
  /** Limits connections. */
  isWorker?: boolean;
};

/** For the log and checkpoint of the embedded database's startup. */
const MIN_FREE_BYTES = 64 * 1024 ** 2;
const CHECK_SPACE_MS = 2_000;

/** PGlite fills the default 128 MB of buffers and 100 connections with zeros. The file cache holds the same pages. */
const START_PARAMS = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB", "-c", "max_connections=10"];

const CLOSE_TIMEOUT_MS = 3_000;

/** Plus the queue's and the listener's. */
const MAX_CONNECTIONS = 10;
/** A worker opens at most six connections, which limits how many workers one database can serve. */
const MAX_WORKER_CONNECTIONS = 3;
const QUEUE_CONNECTIONS = 2;

/**
 * Throws ClipmillError "conflict" if another process holds the folder, "invalid" if it cannot be made private,
 * "no_space" if the disk is full and `onNoRoom` is absent.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.databaseUrl) return openServer({ ...location, databaseUrl: location.databaseUrl });
  if (location.dataDir === null) return wrapEmbedded(await createPglite({}), () => {});
  makeDataDirPrivate(location.dataDir);
  const release = lockDataDir(location.dataDir);
  try {
    const folder = path.join(location.dataDir, "database");
    await awaitDiskSpace(folder, location.onNoRoom);
    const pglite = await openFolder(folder);
    return wrapEmbedded(pglite, release, location.onStopped);
  } catch (error) {
    release();
    throw error;
  }
}

/** PGlite crashes on a full disk without a readable error. */
async function awaitDiskSpace(folder: string, onNoRoom?: (fault: ClipmillError) => void): Promise<void> {
  let fault = await findLackOfSpace(folder);
  if (fault && !onNoRoom) throw fault;
  if (fault) onNoRoom?.(fault);
  while (fault) {
    await delay(CHECK_SPACE_MS);
    fault = await findLackOfSpace(folder);
  }
}

async function findLackOfSpace(folder: string): Promise<ClipmillError | null> {
  const { freeBytes } = await readDiskSpace(existsSync(folder) ? folder : path.dirname(folder));
  if (freeBytes >= MIN_FREE_BYTES) return null;
  const sentence = `The disk that holds ${path.resolve(folder)} is full: the database needs ${MIN_FREE_BYTES / 1024 ** 2} MB to start. Free some space, then try again.`;
  return new ClipmillError("no_space", sentence);
}

async function openFolder(folder: string): Promise<PGlite> {
  if (!existsSync(folder)) {
    // A kill during the first initdb leaves a folder that never opens, hence another name.
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    const first = await openDurable(part);
    await first.close();
    // initdb does not sync: a power cut could leave the folder without its content.
    await syncTree(part);
    await renameSynced(part, folder);
  }
  return openDurable(folder);
}

/** By default, a power cut can lose commits; fsync takes all three steps. */
async function openDurable(folder: string): Promise<PGlite> {
  const startParams = START_PARAMS.filter((param) => param !== "-F");
  const pglite = await createPglite({
    fs: new PrivateFiles(folder),
    startParams: [...startParams, "-c", "wal_sync_method=fsync"],
  });
  const nodeFs = pglite.Module as unknown as {
    NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
  };
  nodeFs.NODEFS.stream_ops.fsync = (stream) => {
    fsyncSync(stream.nfd);
    return 0;
  };
  return pglite;
}

/** A database with indexes of the extension does not open without it. */
export function createPglite(options: PGliteOptions): Promise<PGlite> {
  return PGlite.create({ startParams: START_PARAMS, ...options, extensions: { pg_trgm } });
}

/** Closing it closes `pglite`, then calls `release`. */
export function wrapEmbedded(
  pglite: PGlite,
  release: () => void,
  onStopped: (fault: ClipmillError) => void = () => {},
): Database {
  const hasStopped = stopOnPanic(pglite, onStopped);
  const db = new Kysely<Tables>({ dialect: pgliteDialect(pglite) });
  return {
    db,
    isEmbedded: true,
    withSession: (act) => db.connection().execute(act),
    bossOptions: { db: queueOn(pglite, db), backend: "pglite" },
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    close: async () => {
      // Closing a stopped instance would wait forever; the next start recovers from its log.
      if (!hasStopped()) await pglite.close();
      release();
    },
  };
}

/** Keeps the queue's statements prepared, like ours. Only a text without values may hold several. */
function queueOn(pglite: PGlite, db: Kysely<Tables>): NonNullable<ConstructorOptions["db"]> {
  const own = fromPglite(pglite);
  const executeSql: typeof own.executeSql = (text, values) =>
    values?.length ? db.executeQuery(CompiledQuery.raw(text, values)) : own.executeSql(text);
  return { ...own, executeSql };
}

function openServer({
  databaseUrl,
  sessionUrl,
  isWorker = false,
}: Omit<DatabaseLocation, "databaseUrl"> & { databaseUrl: string }): Database {
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
