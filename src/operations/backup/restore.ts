import { stat } from "node:fs/promises";
import path from "node:path";
import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { withExclusiveAccess } from "#database/embedded/in-use.ts";
import { isKnownMigration, migrate } from "#database/migrate.ts";
import type { Database } from "#database/open-database.ts";
import type { Tables } from "#database/tables.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { openQueue } from "#queue/open-queue.ts";
import { type Actor, writeAudit } from "../audit/write-audit.ts";
import { signOutEveryone } from "../accounts/disable-account.ts";
import { turnOffPosting } from "../destinations/change-destination.ts";
import { pauseAllRestored } from "../watch-folders/pause-all-restored.ts";
import { createSecretBox } from "../settings/secret-box.ts";
import { type AppSecrets, isSameSecret, readSecretFingerprint } from "../settings/sealed-values.ts";
import { FILES_FOLDER, type KeptFile, listNamedFiles } from "./files/copy-files.ts";
import { explainDiskError } from "./explain-disk-error.ts";
import { type Access, countAccess, loadDatabase, countUnopenedSecrets } from "./database/load-database.ts";
import { damaged, readLineFile } from "./database/line-file.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { type FileTarget, putFiles, type PutFiles, requireNoLinks } from "./files/put-files.ts";
import { requireEmpty } from "./database/kept-tables.ts";
import { withUnfinishedMarker } from "./files/unfinished.ts";

export type RestoreTarget = {
  database: Database;
  files: FileTarget;
  /** Must open the sealed values; null without a secret. */
  secrets: AppSecrets | null;
  /** Sealed values stay unreadable until removed. */
  isSecretLost: boolean;
  /** Called after all checks, before the rows are committed. */
  keepSecret: () => Promise<void>;
  /** Also skips missing files. */
  skipsDamagedFiles: boolean;
  actor: Actor | null;
};

export type RestoreReport = {
  madeAt: string;
  rows: number;
  files: PutFiles | null;
  /** Named by the database, but not in storage. */
  absentFiles: number;
  /** As in the backup, even if revoked since. */
  access: Access;
  /** What would repeat jobs and posts made since the backup. */
  stopped: { watchFolders: number; postizDestinations: number };
};

/**
 * Verifies everything and commits the rows last: a failure leaves the database empty, a crash or transient failure
 * leaves it marked as unfinished. Throws ClipmillError "conflict" (database not empty), "damaged" (names the file),
 * "unauthorized" (different secret), "invalid" (newer backup, or one with links) or "no_space".
 */
export async function restore(target: RestoreTarget, folder: string): Promise<RestoreReport> {
  try {
    return await withExclusiveAccess(target.database, () => checkAndRestore(target, folder));
  } catch (error) {
    throw explainDiskError(error, target.files.scratch);
  }
}

/** Checks everything but the files before changing anything. */
async function checkAndRestore(target: RestoreTarget, folder: string): Promise<RestoreReport> {
  const manifest = await readManifest(folder);
  await requireNoLinks(folder);
  if (!isKnownMigration(manifest.migration)) {
    throw new ClipmillError(
      "invalid",
      `This backup was made by a newer version of Clipmill (${manifest.version}). Restore it with that version.`,
    );
  }
  const { db } = target.database;
  await requireEmpty(db);
  const { fingerprint = null } = manifest.secrets;
  if (!target.isSecretLost && !isSameSecret(fingerprint, target.secrets)) throw await otherSecret(manifest, folder);
  for (const table of manifest.tables) await verifyLines(folder, table);
  return await withUnfinishedMarker(db, "clipmill restore", () => restoreAll(target, folder, manifest));
}

async function restoreAll(target: RestoreTarget, folder: string, manifest: Manifest): Promise<RestoreReport> {
  const { db } = target.database;
  const files = manifest.files && (await restoreFiles(target, folder, manifest.files));
  await makeQueue(target.database);
  const stopped = { watchFolders: 0, postizDestinations: 0 };
  await loadDatabase(db, folder, manifest, async (trx) => {
    if (!target.isSecretLost && !(await opensAll(trx, target.secrets))) throw await otherSecret(manifest, folder);
    // First, because the backup's version may lack the tables.
    await migrate(trx);
    stopped.watchFolders = await pauseAllRestored(trx);
    stopped.postizDestinations = await turnOffPosting(trx);
    await signOutEveryone(trx);
    const subjects = [path.basename(folder)];
    if (target.actor) await writeAudit(trx, target.actor, { action: "backup.restore", subjects });
    await target.keepSecret();
  });
  return {
    madeAt: manifest.madeAt,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    files,
    absentFiles: await countAbsentFiles(target),
    access: await countAccess(db),
    stopped,
  };
}

/** The queue creates its schema through its own connection. */
export async function makeQueue(database: Database): Promise<void> {
  const errors: Error[] = [];
  const queue = await openQueue(database, (error) => errors.push(error));
  await queue.stop();
}

async function verifyLines(folder: string, file: Parameters<typeof readLineFile>[1]): Promise<void> {
  for await (const lines of readLineFile(folder, file)) void lines;
}

async function restoreFiles(
  target: RestoreTarget,
  folder: string,
  { list }: NonNullable<Manifest["files"]>,
): Promise<PutFiles> {
  // Verifies all lines before parsing any.
  await verifyLines(folder, list);
  const files: KeptFile[] = [];
  for await (const lines of readLineFile(folder, list)) {
    files.push(...lines.map((line) => JSON.parse(line) as KeptFile));
  }
  const pathOf = (key: string) => path.join(folder, FILES_FOLDER, ...key.split("/"));
  if (!target.skipsDamagedFiles) {
    for (const { key, sizeBytes } of files) {
      const found = await stat(pathOf(key)).catch((cause: unknown) => {
        throw damaged(`${FILES_FOLDER}/${key}`, cause);
      });
      if (found.size !== sizeBytes) throw damaged(`${FILES_FOLDER}/${key}`);
    }
  }
  const result = await putFiles(target.files, files, async ({ key }) => pathOf(key));
  const [first] = result.damaged;
  if (first !== undefined && !target.skipsDamagedFiles) throw damaged(`${FILES_FOLDER}/${first}`);
  return result;
}

async function countAbsentFiles({ database, files }: RestoreTarget): Promise<number> {
  const named = await database.db.transaction().execute(listNamedFiles);
  let absent = 0;
  await forEachAtOnce(named, 8, async ({ key }) => {
    if ((await files.storage.sizeOf(key)) === null) absent += 1;
  });
  return absent;
}

async function opensAll(trx: Transaction<Tables>, secrets: RestoreTarget["secrets"]): Promise<boolean> {
  const known = await readSecretFingerprint({ db: trx });
  if (known !== null) return isSameSecret(known, secrets);
  // The backup is from before the first start of a version that keeps a fingerprint.
  const box = createSecretBox(secrets?.current ?? "", { previous: secrets?.previous ?? [] });
  return (await countUnopenedSecrets(trx, box)) === 0;
}

async function otherSecret({ secrets }: Manifest, folder: string): Promise<ClipmillError> {
  const isThere = await stat(path.join(folder, "app-secret")).then(
    () => true,
    () => false,
  );
  const where =
    secrets.appSecret === "held" && isThere
      ? "The backup contains that secret in the file app-secret. Either unset APP_SECRET and remove app-secret from DATA_DIR, or set APP_SECRET to the contents of that file."
      : "Set APP_SECRET to that secret, or copy its app-secret file into DATA_DIR. If it is lost, restore with --secret-lost.";
  return new ClipmillError(
    "unauthorized",
    `This backup was made with a different secret. ${where} Nothing was restored.`,
  );
}
