import type { SettingsResponse } from "#contract/settings/settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import { withPreset } from "../presets/preset-form.ts";
import { EMPTY_FORM, type JobForm } from "./job-form.ts";

function preferredFields(settings: SettingsResponse | undefined): Partial<JobForm> {
  const saved = new Set(settings?.saved_defaults);
  return {
    ...(settings && saved.has("default_variants") && { variants: String(settings.default_variants) }),
    ...(settings && saved.has("default_audio_mode") && { audioMode: settings.default_audio_mode }),
    ...(settings && saved.has("default_video_gain") && { videoGain: settings.default_video_gain }),
    ...(settings && saved.has("default_music_gain") && { musicGain: settings.default_music_gain }),
  };
}

/** Returns the default preset, or else the saved defaults, as far as loaded. */
export function freshForm(settings: SettingsResponse | undefined, presets?: readonly Preset[]): JobForm {
  const preset = presets?.find(({ is_default }) => is_default);
  return preset ? withPreset(EMPTY_FORM, preset) : { ...EMPTY_FORM, ...preferredFields(settings) };
}
