import { DEFAULT_VARIANTS_RANGE, type JobPreferences } from "#contract/settings/settings.ts";

/** `variants` is text while typed. */
export type DefaultsForm = {
  variants: string;
  audioMode: JobPreferences["default_audio_mode"];
  videoGain: number;
  musicGain: number;
};

export function toForm(preferences: JobPreferences): DefaultsForm {
  return {
    variants: String(preferences.default_variants),
    audioMode: preferences.default_audio_mode,
    videoGain: preferences.default_video_gain,
    musicGain: preferences.default_music_gain,
  };
}

/** Returns only edited fields: defaults that were never saved keep following the job form. */
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
