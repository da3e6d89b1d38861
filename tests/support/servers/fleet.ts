import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { SAMPLES_ADDED } from "#operations/library/add-samples.ts";
import { type ClipmillProcess, type CommandLine, type ProgramKind, startProgram } from "./clipmill-process.ts";
import { findTemplate } from "../find-template.ts";
import { INSTALLATION_SOURCES } from "./installed-clipmill.ts";
import { CLUSTER_SOURCES, copyCluster, startPostgres } from "./databases/postgres.ts";

const SECRET = "a secret for tests that is long enough";

/** A worker's `script` for short clips. */
export const SHORT_CHUNKS = path.join(import.meta.dirname, "../jobs/short-chunks.ts");

export type FleetProgram = ClipmillProcess & {
  dataDir: string;
};

export type Fleet = {
  folder: string;
  /** Finished files of all programs; unused with a bucket. */
  storageRoot: string;
  databaseUrl: string;
  environment: Record<string, string>;
  /** Starts a program, by default in a new data directory. `databaseUrl` may point to a test's proxy. */
  start(
    kind: Extract<ProgramKind, "server" | "worker" | "start">,
    options?: {
      dataDir?: string;
      environment?: Record<string, string>;
      databaseUrl?: string;
    } & CommandLine,
  ): Promise<FleetProgram>;
  haltDatabase(): Promise<void>;
  resumeDatabase(): Promise<void>;
  close(): Promise<void>;
};

/** Like `openFleet`, with the account but without sample clips. */
export async function openInstalledFleet(environment: Record<string, string> = {}): Promise<Fleet> {
  const sources = [...CLUSTER_SOURCES, ...INSTALLATION_SOURCES, "tests/support/servers/fleet.ts"];
  return openFleet(environment, await findTemplate("fleet", sources, install));
}

async function install(target: string): Promise<void> {
  await mkdir(target);
  const postgres = await startPostgres();
  const database = await openDatabase({ databaseUrl: postgres.urlOf("postgres"), dataDir: null });
  await migrate(database.db);
  await database.db.insertInto("settings").values({ name: SAMPLES_ADDED, value: "earlier" }).execute();
  await database.close();
  const dataDir = path.join(postgres.folder, "server");
  await mkdir(path.join(dataDir, "files"), { recursive: true });
  const settings = { APP_SECRET: SECRET, STORAGE_URL: "", DATABASE_URL: postgres.urlOf("postgres") };
  const server = await startProgram("server", dataDir, settings);
  await server.stop();
  await postgres.halt();
  await copyCluster(postgres.dataDir, path.join(target, "cluster"));
  await cp(path.join(dataDir, "files"), path.join(target, "files"), { recursive: true });
  await postgres.stop();
}

/**
 * Starts PostgreSQL with an empty database, or with the cluster and files in `template`. Every program gets
 * `environment`, which may set a bucket. The caller must close the fleet.
 */
export async function openFleet(environment: Record<string, string> = {}, template?: string): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-fleet-"));
  // The ffmpeg of a killed worker may still be writing.
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // Twenty workers have six connections each.
  const postgres = await startPostgres(["-c", "max_connections=200"], template && path.join(template, "cluster"));
  stack.defer(() => postgres.stop());
  const databaseUrl = postgres.urlOf("postgres");
  const storageRoot = path.join(folder, "files");
  if (template) await cp(path.join(template, "files"), storageRoot, { recursive: true });
  else await mkdir(storageRoot);
  const running = stack.move();
  // Share the folder below even if the test run has a bucket, unless `environment` sets one.
  const settings = { APP_SECRET: SECRET, WORKER_CONCURRENCY: "1", STORAGE_URL: "" };
  const common = { ...settings, ...environment };
  const isInBucket = common.STORAGE_URL !== "";
  let started = 0;
  return {
    folder,
    storageRoot,
    databaseUrl,
    environment: { ...common, DATABASE_URL: databaseUrl },
    async start(kind, options = {}) {
      started += 1;
      const dataDir = options.dataDir ?? path.join(folder, `${kind}-${started}`);
      await mkdir(dataDir, { recursive: true });
      // Without a bucket, all data directories share one storage folder.
      if (!isInBucket) await symlink(storageRoot, path.join(dataDir, "files")).catch(ignoreExisting);
      const own = { ...common, DATABASE_URL: options.databaseUrl ?? databaseUrl, ...options.environment };
      const program = await startProgram(kind, dataDir, own, options);
      running.defer(() => program.kill());
      return { ...program, dataDir };
    },
    haltDatabase: () => postgres.halt(),
    resumeDatabase: () => postgres.resume(),
    close: () => running.disposeAsync(),
  };
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
