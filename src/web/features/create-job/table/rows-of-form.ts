import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { completeLink, splitLinks } from "#contract/sources/links.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";

/** Returns one per link, including invalid links. */
export function rowsOfForm({ videos, rows }: Pick<ReadForm, "videos" | "rows">): JobRow[] {
  let video = 0;
  return videos.entries.map(({ link, isValid }) => (isValid && rows[video++]) || { link });
}

/** Returns the rows of links that the form got since its field had the text `before`. */
export function arrivedRows(read: Pick<ReadForm, "videos" | "rows">, before: string): JobRow[] {
  const known = new Set(splitLinks(before).map(completeLink));
  return rowsOfForm(read).filter(({ link }) => !known.has(link));
}

/** Writes one link per line. */
export function fieldsOfRows(rows: readonly JobRow[]): Pick<JobForm, "videoLinks" | "rows"> {
  // The field splits links at commas.
  const written = rows.map((row) => ({ ...row, link: completeLink(row.link.trim()).replaceAll(",", "%2C") }));
  return { videoLinks: written.map(({ link }) => link).join("\n"), rows: JSON.stringify(written) };
}
