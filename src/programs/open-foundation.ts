import path from "node:path";
import { OWN_FOLDER } from "#contract/destinations/destinations.ts";
import type { Logger } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import { variableOfModel, modelSettings } from "#contract/settings/models.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { migrate } from "#database/migrate.ts";
import type { Database, DatabaseLocation } from "#database/open-database.ts";
import { makeDataDirPrivate } from "#database/embedded/private-data-dir.ts";
import { withLock } from "#database/embedded/with-lock.ts";
import { backUpBeforeMigrating } from "#operations/backup/daily-backups.ts";
import { requireFinished } from "#operations/backup/files/unfinished.ts";
import type { Context } from "#operations/context.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { readSealingVersion } from "#operations/settings/reseal-secrets.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import {
  type AppSecrets,
  keepSecretFingerprint,
  readSecretFingerprint,
  requireSameSecret,
} from "#operations/settings/sealed-values.ts";
import type { Tracing } from "#ground/tracing/tracing.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openStorage } from "#storage/open-storage.ts";
import { endWithError } from "./end-with-error.ts";
import { openConfigured } from "./open-configured.ts";
import { openTracing } from "./open-tracing.ts";
import { deletePreviousSecret, hasAppSecret, readAppSecrets } from "./first-start/app-secret.ts";
import { describeStartOver } from "./backups/backup-installation.ts";
import type { Config } from "../config.ts";

export type Foundation = {
  config: Config;
  dataDir: string;
  database: Database;
  context: Context;
  appSecret: string;
  tracing: Tracing | null;
  log: Logger;
} & AsyncDisposable;

/** Time to send error responses when the database stops. */
const RESPONSE_GRACE_MS = 300;

type ProgramKind = "server" | "worker";

/**
 * Locks the data directory until disposed of. Called first: a second start then reports a running Clipmill, not a port
 * in use. Throws ClipmillError "conflict".
 */
export function lockPrograms(config: Config, kinds: ProgramKind[]): Disposable {
  using stack = new DisposableStack();
  // Only tests the embedded database's lock, which commands share; the database takes it when it opens.
  if (!config.DATABASE_URL) lockDataDir(path.resolve(config.DATA_DIR))();
  for (const kind of kinds) stack.defer(lockDataDir(path.resolve(config.DATA_DIR), kind));
  const locks = stack.move();
  return { [Symbol.dispose]: () => locks.dispose() };
}

/**
 * Opens database, queue, storage and secrets; requires the program locks. Programs starting together prepare an empty
 * database one after the other. `service` names the program in traces. Throws ClipmillError with one sentence.
 */
export async function openFoundation(
  config: Config,
  log: Logger,
  { service, isWorker = false }: Pick<DatabaseLocation, "isWorker"> & { service: string },
): Promise<Foundation> {
  await using stack = new AsyncDisposableStack();
  const dataDir = path.resolve(config.DATA_DIR);
  makeDataDirPrivate(dataDir);
  const database = await openConfigured(config, {
    isWorker,
    onConvert: (sentence) => log.info(sentence),
    // Running work can no longer be saved; saved data is safe.
    onStopped: (error) => setTimeout(endWithError, RESPONSE_GRACE_MS, error),
    // Waits instead of exiting: a supervisor gives up after repeated restarts.
    onNoRoom: (error) =>
      log.error(
        { code: error.code },
        `the disk is full; waiting for free space without serving requests: ${error.message}`,
      ),
  });
  stack.defer(() => database.close());
  const tracing = stack.use(await openTracing(config, service, log));
  const prepare = async () => {
    await requireFinished(database.db, describeStartOver(database, dataDir));
    if (database.isEmbedded) await backUpBeforeUpgrade(database, dataDir, log);
    await migrate(database.db);
    return {
      secrets: await readMatchingSecrets(database, config, dataDir),
      queue: await openQueue(database, (error) => log.error({ err: error }, "queue error"), tracing),
    };
  };
  const { secrets, queue } = await withLock(database, "preparing", prepare, () =>
    log.info("waiting for another program to prepare the database"),
  );
  stack.defer(() => queue.stop());
  const { current: appSecret, previous } = secrets;
  const context: Context = {
    db: database.db,
    queue,
    storage: await openStorage(config.STORAGE_URL, dataDir),
    links: createLinkSigner(appSecret),
    secrets: createSecretBox(appSecret, { previous, version: await readSealingVersion(database) }),
    openAi: { baseUrl: config.OPENAI_BASE_URL, model: config.OPENAI_MODEL },
    hosts: {
      baseUrls: config.sourceBaseUrls,
      privateSources: config.ALLOW_PRIVATE_SOURCES ?? [],
      ytDlpPath: config.YT_DLP_PATH ?? null,
      models: modelSettings((name) => config[variableOfModel(name)]),
    },
    sourceFacts: new Map(),
    privateWebhooks: config.ALLOW_PRIVATE_WEBHOOKS ?? [],
    deliveryFolders: { [OWN_FOLDER]: path.join(dataDir, "deliveries"), ...config.DELIVERY_FOLDERS },
  };
  deletePreviousSecret(dataDir);
  const open = stack.move();
  const close = () => open.disposeAsync();
  return { config, dataDir, database, context, appSecret, tracing, log, [Symbol.asyncDispose]: close };
}

/** Throws ClipmillError "invalid" on the embedded database, which only `clipmill start` can use. */
export function requireServerDatabase(config: Config, kind: ProgramKind): void {
  if (config.DATABASE_URL) return;
  throw new ClipmillError(
    "invalid",
    `A separate ${kind} cannot use the embedded database: run \`clipmill start\`, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

/** Without STORAGE_URL, a separate server or worker may store files where others cannot find them. */
export function warnAboutLocalFiles({ STORAGE_URL }: Config, log: Logger): void {
  if (STORAGE_URL) return;
  log.warn("STORAGE_URL is not set: all servers and workers must share the same `files` folder in their DATA_DIR");
}

/** A failed backup does not prevent the start: migrations are all or nothing. */
async function backUpBeforeUpgrade({ db }: Database, dataDir: string, log: Logger): Promise<void> {
  try {
    const folder = await backUpBeforeMigrating({ db, dataDir });
    if (folder !== null) log.info({ folder }, "backed up the database before its upgrade");
  } catch (error) {
    log.error({ err: error }, "could not back up the database before its upgrade");
  }
}

/** The database's first program sets its secrets. Throws ClipmillError "invalid" for others. */
async function readMatchingSecrets(database: Database, config: Config, dataDir: string): Promise<AppSecrets> {
  const known = await readSecretFingerprint(database);
  // Generates no secret if the database requires another.
  if (!hasAppSecret(config, dataDir)) requireSameSecret(known, null);
  const secrets = await readAppSecrets(config, dataDir);
  requireSameSecret(known, secrets);
  await keepSecretFingerprint(database, secrets.current);
  return secrets;
}
