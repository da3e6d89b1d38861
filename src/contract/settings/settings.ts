/** Settings as the function of that name answers them (DESIGN section 7). */
import type { PageSetting } from "./embedded-pages.ts";
import type { AudioMode } from "../jobs/jobs.ts";

/** The keys of outside services; they are kept sealed and never answered. */
export const SERVICE_KEYS = ["google_drive_key", "openai_key"] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

/** What is told of a saved key. `last4` is null for a key so short that it would give it away. */
export type KeyState = { set: boolean; last4: string | null; updatedAt: string | null };

/** What the job screen is pre-filled with. */
export type JobPreferences = {
  default_variants: number;
  default_audio_mode: AudioMode;
  default_video_gain: number;
  default_music_gain: number;
};

/** `saved_defaults` names the preferences that were saved: the job screen, whose own defaults are others, takes over those. */
export type SettingsResponse = Record<ServiceKey, KeyState> &
  JobPreferences &
  Record<PageSetting, string | null> & {
    /** Addresses set by the server's environment; they cannot be changed here. */
    fixed_settings: PageSetting[];
    saved_defaults: (keyof JobPreferences)[];
    /** Days that the files of an ended job are kept; null for ever. */
    output_retention_days?: number | null;
  };

/** What the settings screen starts from (SPEC section 9). */
export const PREFERENCE_DEFAULTS: JobPreferences = {
  default_variants: 1,
  default_audio_mode: "replace",
  default_video_gain: 0.5,
  default_music_gain: 0.5,
};

/** How long files are kept while nothing else was saved. */
export const DEFAULT_RETENTION_DAYS = 30;

/** The range of output_retention_days. */
export const RETENTION_DAYS_RANGE = { least: 1, most: 3_650 } as const;

/** The range of default_variants (SPEC section 5). */
export const DEFAULT_VARIANTS_RANGE = { least: 1, most: 10 } as const;

/** Function test-key: the key that is sent, else the saved one, is shown to its service. */
export type TestKeyResponse = { isValid: boolean; message: string };
