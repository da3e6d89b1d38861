/** The form of how long finished files are kept: what it holds, and what it becomes. */
import { DEFAULT_RETENTION_DAYS, RETENTION_DAYS_RANGE, type SettingsResponse } from "#contract/settings/settings.ts";

/** The number is text while it is typed; it stays there while files are kept for ever. */
export type FilesForm = { keep: "days" | "ever"; days: string };

/** Null and absent: for ever. */
export function toFilesForm(days: SettingsResponse["output_retention_days"]): FilesForm {
  return { keep: days == null ? "ever" : "days", days: String(days ?? DEFAULT_RETENTION_DAYS) };
}

export function toRetentionDays({ keep, days }: FilesForm): number | null {
  return keep === "ever" ? null : readDays(days);
}

/** The nearest number within the range; what is none becomes the default. */
export function readDays(text: string): number {
  const { least, most } = RETENTION_DAYS_RANGE;
  const typed = Math.floor(Number(text.trim() || Number.NaN));
  return Number.isNaN(typed) ? DEFAULT_RETENTION_DAYS : Math.min(most, Math.max(least, typed));
}
