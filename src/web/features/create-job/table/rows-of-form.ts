import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { splitLinks } from "#contract/sources/links.ts";
import { linksIn } from "#contract/sources/links-in-text.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";

/** Returns one per link, including invalid links. */
export function rowsOfForm({ videos, rows }: Pick<ReadForm, "videos" | "rows">): JobRow[] {
  let video = 0;
  return videos.entries.map(({ link, isValid }) => (isValid && rows[video++]) || { link });
}

/** Returns the rows of links that the form got since its field had the text `before`. */
export function arrivedRows(read: Pick<ReadForm, "videos" | "rows">, before: string): JobRow[] {
  const known = new Set(splitLinks(before));
  return rowsOfForm(read).filter(({ link }) => !known.has(link));
}

/** Writes one link per line. */
export function fieldsOfRows(rows: readonly JobRow[]): Pick<JobForm, "videoLinks" | "rows"> {
  const written = rows.map((row) => ({ ...row, link: asInField(row.link) }));
  return { videoLinks: written.map(({ link }) => link).join("\n"), rows: JSON.stringify(written) };
}

/** Returns the text that the field reads as this link: it splits at commas. */
function asInField(link: string): string {
  return linksIn(link.replaceAll(",", "%2C")).join(" ");
}
