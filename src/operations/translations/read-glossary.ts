import type { Kysely } from "kysely";
import { canonicalTag } from "#contract/jobs/outputs/languages.ts";
import type { GlossaryTerm } from "#contract/settings/glossary.ts";
import type { Tables } from "#database/tables.ts";
import { removeSetting, writeSetting } from "../settings/write-setting.ts";

const NAME = "glossary";

export async function readGlossary(db: Kysely<Tables>): Promise<GlossaryTerm[]> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row ? (JSON.parse(row.value) as GlossaryTerm[]) : [];
}

/** Stores canonical tags, and the last of two entries for a term. Null removes all; undefined changes nothing. */
export async function saveGlossary(
  db: Kysely<Tables>,
  glossary: readonly GlossaryTerm[] | null | undefined,
): Promise<void> {
  if (glossary === undefined) return;
  if (glossary === null || glossary.length === 0) return void (await removeSetting(db, NAME));
  const terms = new Map(glossary.map((entry) => [entry.term.toLowerCase(), entry]));
  const stored = [...terms.values()].map(({ term, translations }) => ({
    term,
    translations: Object.fromEntries(Object.entries(translations).map(([tag, text]) => [canonicalTag(tag)!, text])),
  }));
  await writeSetting(db, NAME, JSON.stringify(stored));
}
