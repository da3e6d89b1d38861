import { settingOf } from "#contract/job-settings/setting-values.ts";
import { PRESET_SETTINGS, type PresetSettingName, type PresetSettings } from "#contract/presets/preset-settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { JobForm } from "../draft/job-form.ts";
import { fieldOf, readField, readFields, toFields } from "../setting-fields.ts";

/** Keeps the form's name, videos and generator. */
export function withPreset(form: JobForm, { id, settings }: Pick<Preset, "id" | "settings">): JobForm {
  const fields: Partial<JobForm> = toFields({ ...JOB_DEFAULTS, ...settings });
  const taken = PRESET_SETTINGS.map((name) => [fieldOf(name), fields[fieldOf(name)]]);
  return { ...form, ...Object.fromEntries(taken), presetId: id };
}

/** Includes the settings of sections that are off. */
export function presetSettingsOf(form: JobForm): PresetSettings {
  return readFields(form, PRESET_SETTINGS);
}

export type Difference = { name: PresetSettingName; label: string };

export function findDifferences(form: JobForm, preset: Pick<Preset, "id" | "settings">): Difference[] {
  const original = withPreset(form, preset);
  return PRESET_SETTINGS.filter(
    (name) => JSON.stringify(readField(name, form)) !== JSON.stringify(readField(name, original)),
  ).map((name) => ({ name, label: settingOf(name).label }));
}

const MAX_LABELS = 3;

/** Returns "Differs in Quality, Text color and 2 more", or null. */
export function describeDifferences(differences: readonly Difference[]): string | null {
  if (differences.length === 0) return null;
  const labels = differences.map(({ label }) => label);
  const shown = labels.length > MAX_LABELS + 1 ? labels.slice(0, MAX_LABELS) : labels;
  const more = labels.length - shown.length;
  return `Differs in ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
