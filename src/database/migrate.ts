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
import * as secondEdition from "./migrations/0020-second-edition.ts";
import * as thirdEdition from "./migrations/0059-third-edition.ts";
import * as oneQueue from "./migrations/0063-one-queue.ts";
import * as commentsOnMoments from "./migrations/0064-comments-on-moments.ts";
import * as captionsOfRowsInSearch from "./migrations/0065-captions-of-rows-in-search.ts";
import * as laterChangesAreNewer from "./migrations/0066-later-changes-are-newer.ts";
import * as clipsOfVideos from "./migrations/0067-clips-of-videos.ts";
import * as coversOfOutputs from "./migrations/0069-covers-of-outputs.ts";
import * as codesOfAssistants from "./migrations/0070-codes-of-assistants.ts";
import * as identitiesOfAccounts from "./migrations/0074-identities-of-accounts.ts";
import * as subtitles from "./migrations/0075-subtitles.ts";
import * as transcripts from "./migrations/0077-transcripts.ts";
import * as translations from "./migrations/0079-translations.ts";
import * as workersByToken from "./migrations/0080-workers-by-token.ts";

/** In the order of their run. Names are stored: never rename one. */
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
  "0020-second-edition": secondEdition,
  "0059-third-edition": thirdEdition,
  "0063-one-queue": oneQueue,
  "0064-comments-on-moments": commentsOnMoments,
  "0065-captions-of-rows-in-search": captionsOfRowsInSearch,
  "0066-later-changes-are-newer": laterChangesAreNewer,
  "0067-clips-of-videos": clipsOfVideos,
  "0069-covers-of-outputs": coversOfOutputs,
  "0070-codes-of-assistants": codesOfAssistants,
  "0074-identities-of-accounts": identitiesOfAccounts,
  "0075-subtitles": subtitles,
  "0077-transcripts": transcripts,
  "0079-translations": translations,
  "0080-workers-by-token": workersByToken,
};

/** Migrates to the latest version or `upTo`. Throws the failing migration's error. */
export async function migrate(db: Kysely<Tables>, upTo?: string): Promise<void> {
  const { isCurrent, isNewer } = await readSchemaState(db);
  // Kysely's migrator would read the columns of all tables three times to find this out.
  if (upTo === undefined && isCurrent && !isNewer) return;
  await recordReplaced(db);
  const migrator = openMigrator(db);
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(currentName(upTo)));
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
  const names = await readStoredNames(db);
  if (!names.includes(REPLACED.last)) return names;
  return [
    ...names.filter((name) => name <= REPLACED.after),
    REPLACED.by,
    ...names.filter((name) => name > REPLACED.last),
  ];
}

async function readStoredNames(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (table.rows[0]!.name === null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(migrations, currentName(name));
}

/** The many small migrations of the second edition, which had no release of their own, are one. */
const REPLACED = { after: "0019-media-of-workers", last: "0058-places-of-deliveries", by: "0020-second-edition" };

function currentName(name: string): string {
  return name === REPLACED.last ? REPLACED.by : name;
}

async function recordReplaced(db: Kysely<Tables>): Promise<void> {
  if ((await readStoredNames(db)).includes(REPLACED.last)) {
    await sql`with replaced as (
        delete from kysely_migration where name > ${REPLACED.after} and name <= ${REPLACED.last} returning timestamp
      )
      insert into kysely_migration (name, timestamp) select ${REPLACED.by}, max(timestamp) from replaced having count(*) > 0`.execute(
      db,
    );
  }
}

function openMigrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}
