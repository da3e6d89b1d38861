/** The only place that opens PostgreSQL: the embedded one in a folder, in memory for tests, or a server. */
import { existsSync, fsyncSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { Kysely, PostgresDialect } from "kysely";
import { Pool, types as pgTypes } from "pg";
import { fromPglite, type ConstructorOptions } from "pg-boss";
import { answersInTime } from "./server/answers-in-time.ts";
import { explainOutages } from "./server/explain-outages.ts";
import { createServerListener } from "./server/listen-on-server.ts";
import { ClipmillError } from "#contract/errors.ts";
import { readDiskSpace } from "#ground/disk-space.ts";
import { renameSynced, syncTree } from "#ground/sync-files.ts";
import { lockDataDir } from "./embedded/lock-data-dir.ts";
import { parsers } from "./parsers.ts";
import { pgliteDialect } from "./embedded/pglite-dialect.ts";
import { makeDataDirPrivate } from "./embedded/private-data-dir.ts";
import { PrivateFiles } from "./embedded/private-files.ts";
import { openServerLine } from "./server/server-line.ts";
import { stopOnPanic } from "./embedded/stop-on-panic.ts";
import type { Tables } from "./tables.ts";

export type Database = {
  db: Kysely<Tables>;
  /** True when this process is the only one on the database, so what another left running is surely dead. */
  isEmbedded: boolean;
  /** How the queue reaches the same database. */
  bossOptions: ConstructorOptions;
  /** Calls `onPayload` for each NOTIFY on the channel, `onGap` when some may have been missed. Returns the stop. */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

/** Where the data is: a server when `databaseUrl` is set, else the folder; a null folder keeps all in memory. */
export type DatabaseLocation = {
  databaseUrl?: string | undefined;
  dataDir: string | null;
  /** Told when the embedded database has given up, such as on a full disk: everything asked of it after that is refused. */
  onStopped?: (fault: ClipmillError) => void;
  /** Told once when the disk has no room for a start of the embedded database, which then waits for it instead of throwing. */
  onNoRoom?: (fault: ClipmillError) => void;
};

/** What the embedded database writes at a start, before it takes anything new: its log once more, and a checkpoint. */
const LEAST_FREE_BYTES = 64 * 1024 ** 2;
const LOOK_FOR_ROOM_MS = 2_000;

/** How long a server may take to close its connections. */
const GOODBYE_MS = 3_000;

/** Opens the database. Throws ClipmillError "conflict" when another process holds the folder, "invalid" when the folder cannot be kept private, "no_space" when its disk is full and nobody waits for room. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.databaseUrl) return openServer(location.databaseUrl);
  if (location.dataDir === null) return wrapEmbedded(await createPglite({}), () => {});
  makeDataDirPrivate(location.dataDir);
  const release = lockDataDir(location.dataDir);
  try {
    const folder = path.join(location.dataDir, "database");
    await awaitRoom(folder, location.onNoRoom);
    const pglite = await openFolder(folder);
    return wrapEmbedded(pglite, release, location.onStopped);
  } catch (error) {
    release();
    throw error;
  }
}

/** On a full disk the embedded PostgreSQL ends in its start, and says nothing that anybody could read. */
async function awaitRoom(folder: string, onNoRoom?: (fault: ClipmillError) => void): Promise<void> {
  let fault = await findLackOfRoom(folder);
  if (fault && !onNoRoom) throw fault;
  if (fault) onNoRoom?.(fault);
  while (fault) {
    await delay(LOOK_FOR_ROOM_MS);
    fault = await findLackOfRoom(folder);
  }
}

async function findLackOfRoom(folder: string): Promise<ClipmillError | null> {
  const { freeBytes } = await readDiskSpace(existsSync(folder) ? folder : path.dirname(folder));
  if (freeBytes >= LEAST_FREE_BYTES) return null;
  const sentence = `The disk of ${path.resolve(folder)} is full: the database needs ${LEAST_FREE_BYTES / 1024 ** 2} MB to start. Free some space, then try again.`;
  return new ClipmillError("no_space", sentence);
}

async function openFolder(folder: string): Promise<PGlite> {
  if (!existsSync(folder)) {
    // A kill in the middle of the first initdb leaves a folder that never opens: make it aside and rename it.
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    const first = await openDurable(part);
    await first.close();
    // initdb syncs nothing here: after a power cut the folder could be there, and what is in it not.
    await syncTree(part);
    await renameSynced(part, folder);
  }
  return openDurable(folder);
}

/** PGlite's default runs without fsync, and a power cut can lose commits. All three steps are needed to make it durable. */
async function openDurable(folder: string): Promise<PGlite> {
  const startParams = PGlite.defaultStartParams.filter((param) => param !== "-F");
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

/** An embedded PostgreSQL. A database that has an index of the extension opens only together with it. */
export function createPglite(options: PGliteOptions): Promise<PGlite> {
  return PGlite.create({ ...options, extensions: { pg_trgm } });
}

/** An instance that is open already as our database; `release` is called when it is closed. */
export function wrapEmbedded(
  pglite: PGlite,
  release: () => void,
  onStopped: (fault: ClipmillError) => void = () => {},
): Database {
  const hasStopped = stopOnPanic(pglite, onStopped);
  return {
    db: new Kysely<Tables>({ dialect: pgliteDialect(pglite) }),
    isEmbedded: true,
    bossOptions: { db: fromPglite(pglite), backend: "pglite" },
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    close: async () => {
      // What has stopped would be waited for in vain; the next start finds everything in its log.
      if (!hasStopped()) await pglite.close();
      release();
    },
  };
}

function openServer(databaseUrl: string): Database {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") => parsers[oid] ?? pgTypes.getTypeParser(oid, format),
  };
  const line = openServerLine(databaseUrl);
  const pool = new Pool({ ...line.options, types, max: 10 });
  // A dropped idle connection is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  const listener = createServerListener(line);
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: explainOutages(pool) }) }),
    isEmbedded: false,
    bossOptions: line.options,
    listen: (channel, onPayload, onGap) => listener.listen(channel, onPayload, onGap),
    async close() {
      const closing = Promise.all([listener.close(), pool.end()]);
      // A line that is dead does not even say goodbye.
      if (!(await answersInTime(closing, GOODBYE_MS))) line.drop();
      await closing;
    },
  };
}
