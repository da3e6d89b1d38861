/** How the settings of a job are stored: in columns, or by name in the column `settings`. */
import type { ColumnSettings, JobSettings, JsonSettings } from "#contract/job-settings.ts";
import { JOB_DEFAULTS, pickSettings, settingsWhere } from "#contract/setting-values.ts";

const COLUMNS = settingsWhere((row) => row.stored === "column") as (keyof ColumnSettings)[];
const NAMES_IN_JSON = settingsWhere((row) => row.stored === "json") as (keyof JsonSettings)[];

/** Returns the columns that hold these settings. */
export function toStored(settings: JobSettings): ColumnSettings & { settings: string } {
  return { ...pickSettings(settings, COLUMNS), settings: JSON.stringify(pickSettings(settings, NAMES_IN_JSON)) };
}

/** Returns a row with each setting under its name. A setting newer than the row has its default. */
export function withSettings<Row extends ColumnSettings & { settings: Partial<JsonSettings> }>(
  row: Row,
): Omit<Row, "settings"> & JobSettings {
  const { settings, ...columns } = row;
  const stored = { ...pickSettings(JOB_DEFAULTS, NAMES_IN_JSON), ...settings };
  return { ...columns, ...pickSettings(stored, NAMES_IN_JSON) };
}
