import { sql } from "kysely";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { bytesOfRows } from "#contract/jobs/rows.ts";

/** `rows` is empty or has one row per link. */
export function toStoredRows(links: readonly string[], rows: readonly JobRow[]) {
  return links.map((link, position) => {
    const { settings, pass, name } = rows[position] ?? {};
    return {
      position,
      link,
      row_settings: settings ? JSON.stringify(settings) : null,
      row_pass: pass ? JSON.stringify(pass) : null,
      row_name: name ?? null,
    };
  });
}

export function rowBytes(rows: readonly JobRow[]): number | null {
  return rows.length === 0 ? null : bytesOfRows(rows);
}

export const ROWS_EXPRESSION = sql<StoredRow[] | null>`case when jobs.row_bytes is null then '[]'::json else (
  select json_agg(
    json_build_object('link', link, 'settings', row_settings, 'pass', row_pass, 'name', row_name) order by position)
  from job_videos where job_videos.job_id = jobs.id
) end`;

export type StoredRow = { [Part in keyof JobRow]-?: JobRow[Part] | null } & { link: string };

export function toRows(stored: readonly StoredRow[]): JobRow[] {
  return stored.map(({ link, settings, pass, name }) => ({
    link,
    ...(settings && { settings }),
    ...(pass && { pass }),
    ...(name && { name }),
  }));
}
