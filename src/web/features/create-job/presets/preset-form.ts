import { settingOf } from "#contract/job-settings/setting-values.ts";
import { PRESET_SETTINGS, type PresetSettingName, type PresetSettings } from "#contract/presets/preset-settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { ChosenPreset, JobForm } from "../draft/job-form.ts";
import { fieldOf, readField, readFields, toFields } from "../setting-fields.ts";

type Applied = Pick<Preset, "id" | "version" | "settings">;

export function choiceOf({ id, version }: Pick<Preset, "id" | "version">): ChosenPreset {
  return { presetId: id, presetVersion: String(version) };
}

/** Keeps the form's name, videos and generator. */
export function withPreset(form: JobForm, preset: Applied): JobForm {
  const fields: Partial<JobForm> = toFields({ ...JOB_DEFAULTS, ...preset.settings });
  const taken = PRESET_SETTINGS.map((name) => [fieldOf(name), fields[fieldOf(name)]]);
  return { ...form, ...Object.fromEntries(taken), ...choiceOf(preset) };
}

/** Includes the settings of sections that are off. */
export function presetSettingsOf(form: JobForm): PresetSettings {
  return readFields(form, PRESET_SETTINGS);
}

export type Difference = { name: PresetSettingName; label: string };

/** True if the preset was changed elsewhere since the form took its settings. */
export function isOutdated({ presetVersion }: ChosenPreset, { version }: Pick<Preset, "version">): boolean {
  return presetVersion !== "" && presetVersion !== String(version);
}

export function findDifferences(form: JobForm, preset: Applied): Difference[] {
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
