import type { Kysely } from "kysely";
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

/** All migrations, in order; the names are stored, so they never change. */
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
};

/** Brings the schema up to date. Throws what the failing migration threw. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
