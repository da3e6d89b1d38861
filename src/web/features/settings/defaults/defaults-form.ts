import { DEFAULT_VARIANTS_RANGE, type JobPreferences } from "#contract/settings/settings.ts";

/** The number is text while typed. */
export type DefaultsForm = {
  variants: string;
  audioMode: JobPreferences["default_audio_mode"];
  videoGain: number;
  musicGain: number;
};

/** Returns the form's initial values, for saved and unsaved defaults alike. */
export function toForm(preferences: JobPreferences): DefaultsForm {
  return {
    variants: String(preferences.default_variants),
    audioMode: preferences.default_audio_mode,
    videoGain: preferences.default_video_gain,
    musicGain: preferences.default_music_gain,
  };
}

/** Returns only edited fields: a default that was never saved keeps following the job screen. */
export function toPreferences(form: DefaultsForm, edited: ReadonlySet<string>): Partial<JobPreferences> {
  return {
    ...(edited.has("variants") && { default_variants: readVariants(form.variants) }),
    ...(edited.has("audioMode") && { default_audio_mode: form.audioMode }),
    ...(edited.has("videoGain") && { default_video_gain: form.videoGain }),
    ...(edited.has("musicGain") && { default_music_gain: form.musicGain }),
  };
}

/** Clamps to the range; the minimum for invalid text. */
export function readVariants(text: string): number {
  const { least, most } = DEFAULT_VARIANTS_RANGE;
  const typed = Math.floor(Number(text.trim() || Number.NaN));
  return Number.isNaN(typed) ? least : Math.min(most, Math.max(least, typed));
}
