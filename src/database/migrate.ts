import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Tables } from "./tables.ts";
import * as firstTables from "./migrations/0001-first-tables.ts";
import * as captionStyleAndQuality from "./migrations/0002-caption-style-and-quality.ts";
import * as secondStepAndMail from "./migrations/0003-second-step-and-mail.ts";
import * as tablesOfTheBackEnd from "./migrations/0004-tables-of-the-back-end.ts";
import * as measuredSpeed from "./migrations/0005-measured-speed.ts";
import * as captionBatches from "./migrations/0006-caption-batches.ts";
import * as uploads from "./migrations/0007-uploads.ts";
import * as publishing from "./migrations/0008-publishing.ts";
import * as auditAndRetention from "./migrations/0009-audit-and-retention.ts";
import * as workers from "./migrations/0010-workers.ts";
import * as orderInTheQueue from "./migrations/0011-order-in-the-queue.ts";
import * as namesInTheAuditTrail from "./migrations/0012-names-in-the-audit-trail.ts";
import * as restingHosts from "./migrations/0013-resting-hosts.ts";
import * as searchTextAndChangeCount from "./migrations/0014-search-text-and-change-count.ts";
import * as passwordsOfSignUps from "./migrations/0015-passwords-of-sign-ups.ts";
import * as sameFilesAndCost from "./migrations/0016-same-files-and-cost.ts";
import * as libraryThumbnails from "./migrations/0017-library-thumbnails.ts";
import * as warningsOfOutputs from "./migrations/0018-warnings-of-outputs.ts";
import * as mediaOfWorkers from "./migrations/0019-media-of-workers.ts";
import * as classesOfFailures from "./migrations/0020-classes-of-failures.ts";
import * as jobSettings from "./migrations/0021-job-settings.ts";
import * as lightRows from "./migrations/0022-light-rows.ts";
import * as conformanceOfOutputs from "./migrations/0025-conformance-of-outputs.ts";
import * as indexesByStatus from "./migrations/0028-indexes-by-status.ts";
import * as imagesInTheLibrary from "./migrations/0029-images-in-the-library.ts";
import * as connections from "./migrations/0031-connections.ts";
import * as libraryTagsAndUses from "./migrations/0033-library-tags-and-uses.ts";
import * as apiTokens from "./migrations/0034-api-tokens.ts";
import * as rows from "./migrations/0035-rows.ts";
import * as presets from "./migrations/0036-presets.ts";
import * as manifests from "./migrations/0037-manifests.ts";
import * as proofs from "./migrations/0038-proofs.ts";
import * as verdicts from "./migrations/0039-verdicts.ts";
import * as destinations from "./migrations/0041-destinations.ts";
import * as webhooks from "./migrations/0042-webhooks.ts";
import * as watchFolders from "./migrations/0043-watch-folders.ts";
import * as linksOfOutputs from "./migrations/0044-links-of-outputs.ts";
import * as idempotentRequests from "./migrations/0045-idempotent-requests.ts";
import * as queueLoad from "./migrations/0047-queue-load.ts";
import * as workerLabels from "./migrations/0051-worker-labels.ts";
import * as watchedConnections from "./migrations/0049-watched-connections.ts";
import * as videosSideBySide from "./migrations/0052-videos-side-by-side.ts";
import * as progressOfVideos from "./migrations/0053-progress-of-videos.ts";
import * as keptPlans from "./migrations/0054-kept-plans.ts";
import * as videoCounts from "./migrations/0055-video-counts.ts";
import * as changesOfManyRows from "./migrations/0056-changes-of-many-rows.ts";
import * as watchedFiles from "./migrations/0057-watched-files.ts";
import * as placesOfDeliveries from "./migrations/0058-places-of-deliveries.ts";
import * as keysAndDeletions from "./migrations/0059-keys-and-deletions.ts";
import * as progressOnlyRises from "./migrations/0061-progress-only-rises.ts";
import * as oneQueue from "./migrations/0063-one-queue.ts";

/** Names are stored: never rename one. */
const migrations: Record<string, Migration> = {
  "0001-first-tables": firstTables,
  "0002-caption-style-and-quality": captionStyleAndQuality,
  "0003-second-step-and-mail": secondStepAndMail,
  "0004-tables-of-the-back-end": tablesOfTheBackEnd,
  "0005-measured-speed": measuredSpeed,
  "0006-caption-batches": captionBatches,
  "0007-uploads": uploads,
  "0008-publishing": publishing,
  "0009-audit-and-retention": auditAndRetention,
  "0010-workers": workers,
  "0011-order-in-the-queue": orderInTheQueue,
  "0012-names-in-the-audit-trail": namesInTheAuditTrail,
  "0013-resting-hosts": restingHosts,
  "0014-search-text-and-change-count": searchTextAndChangeCount,
  "0015-passwords-of-sign-ups": passwordsOfSignUps,
  "0016-same-files-and-cost": sameFilesAndCost,
  "0017-library-thumbnails": libraryThumbnails,
  "0018-warnings-of-outputs": warningsOfOutputs,
  "0019-media-of-workers": mediaOfWorkers,
  "0020-classes-of-failures": classesOfFailures,
  "0021-job-settings": jobSettings,
  "0022-light-rows": lightRows,
  "0025-conformance-of-outputs": conformanceOfOutputs,
  "0028-indexes-by-status": indexesByStatus,
  "0029-images-in-the-library": imagesInTheLibrary,
  "0031-connections": connections,
  "0033-library-tags-and-uses": libraryTagsAndUses,
  "0034-api-tokens": apiTokens,
  "0035-rows": rows,
  "0036-presets": presets,
  "0037-manifests": manifests,
  "0038-proofs": proofs,
  "0039-verdicts": verdicts,
  "0041-destinations": destinations,
  "0042-webhooks": webhooks,
  "0043-watch-folders": watchFolders,
  "0044-links-of-outputs": linksOfOutputs,
  "0045-idempotent-requests": idempotentRequests,
  "0047-queue-load": queueLoad,
  "0051-worker-labels": workerLabels,
  "0049-watched-connections": watchedConnections,
  "0052-videos-side-by-side": videosSideBySide,
  "0053-progress-of-videos": progressOfVideos,
  "0054-kept-plans": keptPlans,
  "0055-video-counts": videoCounts,
  "0056-changes-of-many-rows": changesOfManyRows,
  "0057-watched-files": watchedFiles,
  "0058-places-of-deliveries": placesOfDeliveries,
  "0059-keys-and-deletions": keysAndDeletions,
  "0061-progress-only-rises": progressOnlyRises,
  "0063-one-queue": oneQueue,
};

/** Migrates to the latest version or `upTo`. Throws the failing migration's error. */
export async function migrate(db: Kysely<Tables>, upTo?: string): Promise<void> {
  const { isCurrent, isNewer } = await readSchemaState(db);
  // Kysely's migrator would read the columns of all tables three times to find this out.
  if (upTo === undefined && isCurrent && !isNewer) return;
  const migrator = openMigrator(db);
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
}

export type SchemaState = {
  migration: string | null;
  isCurrent: boolean;
  /** A newer version of Clipmill has changed the schema. */
  isNewer: boolean;
};

/** Changes nothing, even in an empty database. */
export async function readSchemaState(db: Kysely<Tables>): Promise<SchemaState> {
  const run = await readMigrations(db);
  const known = run.filter(isKnownMigration);
  return {
    migration: known.at(-1) ?? null,
    isCurrent: known.length === Object.keys(migrations).length,
    isNewer: known.length > 0 && known.length < run.length,
  };
}

/** Returns the names of completed migrations in order; none in an empty database. */
async function readMigrations(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (table.rows[0]!.name === null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

function openMigrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}
