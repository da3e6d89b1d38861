import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { AuditEntry } from "#contract/calls.ts";
import type { Context } from "../context.ts";

const UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/**
 * Returns SQL; null for a deleted subject. Qualify both arguments: subjects' tables share column names. Selects only
 * names: other columns may be secret.
 */
export function nameOfSubject(action: RawBuilder<string>, subject: RawBuilder<string | null>) {
  const id = sql`case when ${subject} ~* ${UUID} then ${subject}::uuid end`;
  return sql<string | null>`case split_part(${action}, '.', 1)
    when 'job' then (select job_name from jobs where id = ${id})
    when 'caption_sets' then (select name from caption_sets where id = ${id})
    when 'audio_sets' then (select name from audio_sets where id = ${id})
    when 'presets' then (select name from presets where id = ${id})
    when 'brand_kits' then (select name from brand_kits where id = ${id})
    when 'domains' then (select name from domains where id = ${id})
    when 'routes' then (
      select domains.name || '/' || case slug when '__root__' then '' else slug end
      from routes join domains on domains.id = domain_id where routes.id = ${id})
    when 'connections' then (select name from connections where id = ${id})
    when 'watch_folders' then (select name from watch_folders where id = ${id})
    when 'transcripts' then (select name from transcripts where id = ${id})
    when 'webhooks' then (select substring(url from '^https?://([^/?#]+)') from webhooks where id = ${id})
    when 'destinations' then (select name from destinations where id = ${id})
    when 'token' then (select name from api_tokens where id = ${id})
    when 'library' then (select name from library_files where id = ${subject})
  end`;
}

const ENTRY = { action: sql.ref<string>("audit_entries.action"), subject: sql.ref<string>("audit_entries.subject") };
const NAME = sql<string | null>`coalesce(subject_name, ${nameOfSubject(ENTRY.action, ENTRY.subject)})`;

export const listAuditSchema = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z.coerce.number().int().min(1).optional().describe("Only entries before this ID."),
});

/** Newest first, with subjects' recorded names or, failing that, current ones. */
export function listAuditEntries(
  context: Pick<Context, "db">,
  { limit, before }: z.output<typeof listAuditSchema>,
): Promise<AuditEntry[]> {
  return context.db
    .selectFrom("audit_entries")
    .select(["id", "account_id", "email", "action", "subject", NAME.as("subject_name"), "created_at"])
    .$if(before !== undefined, (query) => query.where("id", "<", before!))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
