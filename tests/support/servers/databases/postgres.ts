/** Runs a real PostgreSQL: the shared one, or one per test process, started on first use. */
import { rmSync } from "node:fs";
import { chmod, cp, lchown, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Database } from "#database/open-database.ts";
import { findFreePort } from "../../network/free-port.ts";
import { openPooled } from "./database-pool.ts";
import { SCHEMA_SOURCES } from "./sources.ts";
import { findTemplate } from "../../find-template.ts";
import { createCluster, startServer } from "./postgres-server.ts";
import { createTemplate, openCopy, sharedPostgresUrl, WITHOUT_TABLES } from "../shared-servers.ts";

export const CLUSTER_SOURCES = SCHEMA_SOURCES;

const INITDB_FLAGS = [
  "--username=clipmill",
  "--no-sync",
  "--encoding=UTF8",
  // Like most installations. In PostgreSQL's own C locale, É and é do not match in searches.
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
];
// Test data need not survive a power cut.
// Statistics that appear at any time would change plans.
const SERVER_FLAGS = ["-c", "fsync=off", "-c", "autovacuum=off", "-c", "listen_addresses=127.0.0.1"];

type Server = {
  folder: string;
  dataDir: string;
  urlOf: (name: string) => string;
  /** Stops it and keeps its data. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
};

let server: Promise<Server> | null = null;

/** Reuses databases that earlier tests of this process have closed. */
export async function openPostgresDatabase(): Promise<Database> {
  return await openPooled(await findServer());
}

export async function openPostgresWithoutTables(): Promise<Database> {
  return await openCopy(await findServer(), WITHOUT_TABLES);
}

async function findServer(): Promise<string> {
  if (sharedPostgresUrl) return sharedPostgresUrl;
  server ??= startUntilExit();
  return (await server).urlOf("postgres");
}

/** A start takes two seconds of CPU time, a database a tenth of that. */
async function startUntilExit(): Promise<Server> {
  const started = await startPostgres();
  process.once("exit", () => rmSync(started.folder, { recursive: true, force: true }));
  return started;
}

/** Uses a free port and the template, or a copy of the data directory `cluster`. */
export async function startPostgres(flags: string[] = [], cluster?: string): Promise<Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-postgres-"));
  // As root, PostgreSQL runs as another user.
  await chmod(folder, 0o777);
  const dataDir = path.join(folder, "data");
  await copyCluster(cluster ?? (await findTemplate("postgres", CLUSTER_SOURCES, makeCluster)), dataDir);
  const port = await findFreePort();
  const start = () => startServer(dataDir, port, [...SERVER_FLAGS, ...flags]);
  let running = await start();
  return {
    folder,
    dataDir,
    urlOf: (name) => urlOf(port, name),
    halt: () => running.stop(),
    async resume() {
      running = await start();
    },
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Saves the seconds that initdb and migrations take. */
async function makeCluster(dataDir: string): Promise<void> {
  await createCluster(dataDir, INITDB_FLAGS);
  const port = await findFreePort();
  const running = await startServer(dataDir, port, SERVER_FLAGS);
  await createTemplate(urlOf(port, "postgres"));
  await running.stop();
}

function urlOf(port: number, name: string): string {
  return `postgres://clipmill:clipmill@127.0.0.1:${port}/${name}`;
}

/** Copies a data directory, including its owner if run as root. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  const names = ["", ...(await readdir(to, { recursive: true }))];
  await Promise.all(names.map((name) => lchown(path.join(to, name), uid, gid)));
}
