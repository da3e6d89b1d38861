/** Converts the retention of finished files to and from its form. */
import { DEFAULT_RETENTION_DAYS, RETENTION_DAYS_RANGE, type SettingsResponse } from "#contract/settings/settings.ts";

/** The number is text while typed, and is kept while files are kept forever. */
export type FilesForm = { keep: "days" | "ever"; days: string };

/** Null and undefined mean forever. */
export function toFilesForm(days: SettingsResponse["output_retention_days"]): FilesForm {
  return { keep: days == null ? "ever" : "days", days: String(days ?? DEFAULT_RETENTION_DAYS) };
}

export function toRetentionDays({ keep, days }: FilesForm): number | null {
  return keep === "ever" ? null : readDays(days);
}

/** Returns the nearest number within the range; the default for invalid text. */
export function readDays(text: string): number {
  const { least, most } = RETENTION_DAYS_RANGE;
  const typed = Math.floor(Number(text.trim() || Number.NaN));
  return Number.isNaN(typed) ? DEFAULT_RETENTION_DAYS : Math.min(most, Math.max(least, typed));
}
