/** Servers and workers as processes of their own, on one PostgreSQL, one secret and one storage: a folder, or a bucket. */
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type ClipmillProcess, type ProgramKind, startProgram } from "./clipmill-process.ts";
import { findTemplate } from "./find-template.ts";
import { INSTALLATION_SOURCES, waitForSamples } from "./installed-clipmill.ts";
import { CLUSTER_SOURCES, copyCluster, startPostgres } from "./postgres.ts";

/** All programs of a fleet share it. */
const SECRET = "a secret for tests that is long enough";

export type FleetProgram = ClipmillProcess & {
  /** The data directory that is its own. */
  dataDir: string;
};

export type Fleet = {
  /** For files of the test. */
  folder: string;
  /** Where finished files are, for all programs, unless they are in a bucket. */
  storageRoot: string;
  databaseUrl: string;
  /** What every program of it is started with. */
  environment: Record<string, string>;
  /**
   * Starts a program: in a data directory of its own, unless told which. `databaseUrl` may lead through a proxy of the test.
   */
  start(
    kind: Extract<ProgramKind, "server" | "worker" | "start">,
    options?: {
      dataDir?: string;
      environment?: Record<string, string>;
      databaseUrl?: string;
      /** Put before its command line, to run it on another host. */
      prefix?: readonly string[];
    },
  ): Promise<FleetProgram>;
  /** Ends PostgreSQL for a while; its data stays. */
  haltDatabase(): Promise<void>;
  /** Starts PostgreSQL again after a halt. */
  resumeDatabase(): Promise<void>;
  /** Ends what still runs, at once, and removes everything. */
  close(): Promise<void>;
};

/**
 * Starts PostgreSQL with a database and a storage folder that have been in use before, with the account and the sample clips:
 * a first start takes more than ten seconds of processor time. Close it in the end, as `openFleet`.
 */
export async function openInstalledFleet(environment: Record<string, string> = {}): Promise<Fleet> {
  const sources = [...CLUSTER_SOURCES, ...INSTALLATION_SOURCES, "tests/support/servers/fleet.ts"];
  return openFleet(environment, await findTemplate("fleet", sources, install));
}

async function install(target: string): Promise<void> {
  await mkdir(target);
  const postgres = await startPostgres();
  const dataDir = path.join(postgres.folder, "server");
  await mkdir(path.join(dataDir, "files"), { recursive: true });
  const settings = { APP_SECRET: SECRET, STORAGE_URL: "", DATABASE_URL: postgres.urlOf("postgres") };
  const server = await startProgram("server", dataDir, settings);
  await waitForSamples(server.url);
  await server.stop();
  await postgres.halt();
  await copyCluster(postgres.dataDir, path.join(target, "cluster"));
  await cp(path.join(dataDir, "files"), path.join(target, "files"), { recursive: true });
  await postgres.stop();
}

/**
 * Starts PostgreSQL with an empty database. Close it in the end; `environment` goes to every program, and may have finished
 * files in a bucket. `template` is a folder with a cluster and files to start from instead.
 */
export async function openFleet(environment: Record<string, string> = {}, template?: string): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-fleet-"));
  // What a killed worker's ffmpeg still writes may come in between.
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = await startPostgres([], template && path.join(template, "cluster"));
  stack.defer(() => postgres.stop());
  const databaseUrl = postgres.urlOf("postgres");
  const storageRoot = path.join(folder, "files");
  if (template) await cp(path.join(template, "files"), storageRoot, { recursive: true });
  else await mkdir(storageRoot);
  const running = stack.move();
  // All programs share the folder below, also where a run of tests has a bucket, unless this fleet is to have one.
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
      // Without a bucket, all programs have to find the same folder in theirs.
      if (!isInBucket) await symlink(storageRoot, path.join(dataDir, "files")).catch(ignoreExisting);
      const own = { ...common, DATABASE_URL: options.databaseUrl ?? databaseUrl, ...options.environment };
      const program = await startProgram(kind, dataDir, own, options.prefix);
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
