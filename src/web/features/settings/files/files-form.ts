import { DEFAULT_RETENTION_DAYS, RETENTION_DAYS_RANGE, type SettingsResponse } from "#contract/settings/settings.ts";

/** `days` is text while typed; kept while `keep` is "ever". */
export type FilesForm = { keep: "days" | "ever"; days: string };

/** Treats null and undefined as forever. */
export function toFilesForm(days: SettingsResponse["output_retention_days"]): FilesForm {
  return { keep: days == null ? "ever" : "days", days: String(days ?? DEFAULT_RETENTION_DAYS) };
}

/** Clamps to the range; null means forever. */
export function toRetentionDays({ keep, days }: FilesForm): number | null {
  return keep === "ever" ? null : readDays(days);
}

/** Clamps to the range; the default for invalid text. */
export function readDays(text: string): number {
  const { least, most } = RETENTION_DAYS_RANGE;
  const typed = Math.floor(Number(text.trim() || Number.NaN));
  return Number.isNaN(typed) ? DEFAULT_RETENTION_DAYS : Math.min(most, Math.max(least, typed));
}
