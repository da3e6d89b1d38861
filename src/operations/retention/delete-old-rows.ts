import type { Context } from "../context.ts";

const AUDIT_DAYS = 180;
const EVENT_DAYS = 30;
/** Lets an operator see why a program stopped working. */
const TOKEN_DAYS = 30;
/** Until then, a code that is used again revokes its token. */
const CODE_DAYS = 1;
/** Translations unused since then are made again when needed. */
const TRANSLATION_DAYS = 180;
/** A folder that cannot be reached for a while must not seem new when it is back. */
const WATCH_FILE_DAYS = 180;
/** For transcripts that no video uses any longer. Corrected ones are kept. */
const TRANSCRIPT_DAYS = 90;
const DAY_MS = 86_400_000;

export async function deleteOldAuditEntries({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("audit_entries").where("created_at", "<", daysBefore(now, AUDIT_DAYS)).execute();
}

/** Also deletes deliveries, even those for a webhook that is turned off. */
export async function deleteOldEvents({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("outgoing_events").where("created_at", "<", daysBefore(now, EVENT_DAYS)).execute();
}

export async function deleteExpiredTokens({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("api_tokens").where("expires_at", "<", daysBefore(now, TOKEN_DAYS)).execute();
}

export async function deleteOldCodes({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("oauth_codes").where("expires_at", "<", daysBefore(now, CODE_DAYS)).execute();
}

export async function deleteOldTranslations({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("translations").where("used_at", "<", daysBefore(now, TRANSLATION_DAYS)).execute();
}

export async function forgetWatchFiles({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db.deleteFrom("watch_files").where("missing_since", "<", daysBefore(now, WATCH_FILE_DAYS)).execute();
}

export async function deleteOldTranscripts({ db }: Pick<Context, "db">, now: Date): Promise<void> {
  await db
    .deleteFrom("transcripts")
    .where("updated_at", "<", daysBefore(now, TRANSCRIPT_DAYS))
    .where("edited_at", "is", null)
    .where((where) => {
      const uses = where
        .selectFrom("transcript_uses")
        .select("video_id")
        .whereRef("transcript_id", "=", "transcripts.id");
      return where.not(where.exists(uses));
    })
    .execute();
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}
