import { type RawBuilder, sql } from "kysely";
import type { ColumnSettings, JobSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS, pickSettings, settingsWhere } from "#contract/job-settings/setting-values.ts";

export const SETTING_COLUMNS = settingsWhere((row) => row.stored === "column") as (keyof ColumnSettings)[];
const OTHERS = settingsWhere((row) => row.stored === "json");

/** Includes defaults: a later change of a default does not affect the job. */
export function toStored(settings: JobSettings): ColumnSettings & { settings: string } {
  return { ...pickSettings(settings, SETTING_COLUMNS), settings: JSON.stringify(pickSettings(settings, OTHERS)) };
}

/** A setting newer than its row has its default. */
export const SETTING_EXPRESSIONS: Readonly<Record<string, RawBuilder<unknown>>> = Object.fromEntries(
  OTHERS.map((name) => [
    name,
    sql`coalesce(jobs.settings -> ${sql.lit(name)}, ${sql.lit(JSON.stringify(JOB_DEFAULTS[name]))}::jsonb)`,
  ]),
);

export function withSettings<Row extends { settings: Record<string, unknown> }>(
  row: Row,
): Omit<Row, "settings"> & Omit<JobSettings, keyof ColumnSettings | "rows"> {
  const { settings, ...columns } = row;
  return { ...columns, ...pickSettings({ ...JOB_DEFAULTS, ...settings }, OTHERS) };
}
