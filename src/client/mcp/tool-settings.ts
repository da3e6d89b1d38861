import type { RowSettings } from "#contract/job-settings/job-settings.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { type Api, choosePreset, listPresets } from "../calls.ts";

/** Returns the preset, the settings that a tool got with their switches, and both merged. Throws like choosePreset. */
export async function resolveSettings(api: Api, wanted: string | undefined, given: RowSettings) {
  const preset: Preset | null = wanted === undefined ? null : choosePreset(await listPresets(api), wanted);
  const typed = withSwitches(given);
  return { preset, typed, settings: { ...preset?.settings, ...typed } };
}
