/** Translates each text once per language, model and glossary, for all jobs. */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { RequiredTerm } from "./judge-translation.ts";

/** After this long without a touch, the worker that translates the text counts as killed. */
const STALE_SECONDS = 20;
const TOUCH_MS = 5_000;

/** Includes only glossary terms found in the text: others do not affect its translation. */
export function translationKey(
  text: string,
  facts: { language: string; model: string; terms: readonly RequiredTerm[] },
) {
  const { language, model, terms } = facts;
  return sha256Of(JSON.stringify([text, language, model, terms.map(({ term, as }) => [term, as])]));
}

/** Translations by key; those in progress are missing. */
export async function readTranslations(db: Kysely<Tables>, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("translations")
    .select(["key", "translation", sql<boolean>`used_at < now() - interval '1 day'`.as("is_old")])
    .where("key", "=", sql<string>`any(${keys}::text[])`)
    .where("translation", "is not", null)
    .execute();
  const old = rows.flatMap(({ key, is_old: isOld }) => (isOld ? [key] : []));
  if (old.length > 0) {
    await db
      .updateTable("translations")
      .set({ used_at: sql<string>`now()` })
      .where("key", "=", sql<string>`any(${old}::text[])`)
      .execute();
  }
  return new Map(rows.map(({ key, translation }) => [key, translation!]));
}

type KeyedText = { key: string; text: string };

export type TranslationClaim = AsyncDisposable & {
  /** Returns texts that are neither translated nor claimed by another worker. */
  take: <Text extends KeyedText>(texts: readonly Text[]) => Promise<Text[]>;
  keep: (translations: ReadonlyMap<string, string>) => Promise<void>;
};

/** Disposing of the claim releases the texts that are not translated. */
export function openClaim(db: Kysely<Tables>, language: string): TranslationClaim {
  const attempt = randomUUID();
  const own = () => db.updateTable("translations").where("attempt", "=", attempt).where("translation", "is", null);
  // A failed touch only lets another worker translate the texts, too.
  const touching = setInterval(() => {
    own()
      .set({ touched_at: sql<string>`now()` })
      .execute()
      .catch(() => {});
  }, TOUCH_MS);
  touching.unref();
  return {
    async take(texts) {
      const wanted = JSON.stringify(texts.map(({ key, text }) => ({ key, source: text })));
      // In a fixed order, so that two workers cannot deadlock.
      const { rows } = await sql<{ key: string }>`
        insert into translations (key, language, source, attempt)
        select key, ${language}, source, ${attempt}::uuid
        from jsonb_to_recordset(${wanted}::jsonb) as wanted (key text, source text)
        order by key
        on conflict (key) do update set attempt = excluded.attempt, touched_at = now()
        where translations.translation is null
          and translations.touched_at < now() - make_interval(secs => ${STALE_SECONDS})
        returning key`.execute(db);
      const taken = new Set(rows.map(({ key }) => key));
      return texts.filter(({ key }) => taken.has(key));
    },
    async keep(translations) {
      const made = JSON.stringify(Array.from(translations, ([key, translation]) => ({ key, translation })));
      await sql`
        update translations set translation = made.translation, used_at = now()
        from jsonb_to_recordset(${made}::jsonb) as made (key text, translation text)
        where translations.key = made.key and translations.translation is null`.execute(db);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(touching);
      // On failure, others take over the texts once the claim is stale.
      await db
        .deleteFrom("translations")
        .where("attempt", "=", attempt)
        .where("translation", "is", null)
        .execute()
        .catch(() => {});
    },
  };
}
