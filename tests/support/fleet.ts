/** Servers and workers as processes of their own, on one PostgreSQL, one secret and one storage: a folder, or a bucket. */
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type ClipmillProcess, type ProgramKind, startProgram } from "./clipmill-process.ts";
import { startPostgres } from "./postgres.ts";

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
 * Starts PostgreSQL with an empty database. Close it in the end; `environment` goes to every program, and may have finished
 * files in a bucket.
 */
export async function openFleet(environment: Record<string, string> = {}): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-fleet-"));
  // What a killed worker's ffmpeg still writes may come in between.
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const databaseUrl = postgres.urlOf("postgres");
  const storageRoot = path.join(folder, "files");
  await mkdir(storageRoot);
  const running = stack.move();
  // All programs share the folder below, also where a run of tests has a bucket, unless this fleet is to have one.
  const settings = { APP_SECRET: "a secret for tests that is long enough", WORKER_CONCURRENCY: "1", STORAGE_URL: "" };
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
