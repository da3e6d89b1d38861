/** Responses of the functions settings and test-key (DESIGN section 7). */
import type { PageSetting } from "./embedded-pages.ts";
import type { AudioMode } from "../jobs/jobs.ts";
import type { SourceHostName } from "../sources/link-host.ts";

/** Keys of outside services; stored encrypted and never returned. */
export const SERVICE_KEYS = ["google_drive_key", "openai_key"] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

/** `last4` is null for a key so short that it would reveal too much. */
export type KeyState = { set: boolean; last4: string | null; updatedAt: string | null };

/** Initial values of the job screen. */
export type JobPreferences = {
  default_variants: number;
  default_audio_mode: AudioMode;
  default_video_gain: number;
  default_music_gain: number;
};

/** `saved_defaults` lists the saved preferences, which override the job screen's defaults. */
export type SettingsResponse = Record<ServiceKey, KeyState> &
  JobPreferences &
  Record<PageSetting, string | null> & {
    /** Addresses set by the server's environment and therefore read-only. */
    fixed_settings: PageSetting[];
    saved_defaults: (keyof JobPreferences)[];
    /** Optional source hosts that are turned on. */
    source_hosts: SourceHostName[];
    /** Addresses off the public network, as `host:port`, from which the server's environment allows files. */
    private_sources: string[];
    /** Days to keep the files of an ended job; null means forever. */
    output_retention_days?: number | null;
    /** Fetches sources while the form is open and before their videos start. */
    prefetch_sources: boolean;
  };

/** Defaults of the settings screen (SPEC section 9). */
export const PREFERENCE_DEFAULTS: JobPreferences = {
  default_variants: 1,
  default_audio_mode: "replace",
  default_video_gain: 0.5,
  default_music_gain: 0.5,
};

export const DEFAULT_RETENTION_DAYS = 30;

export const RETENTION_DAYS_RANGE = { least: 1, most: 3_650 } as const;

/** SPEC section 5. */
export const DEFAULT_VARIANTS_RANGE = { least: 1, most: 10 } as const;

/** Function test-key: tests the given key, or else the saved one, with its service. */
export type TestKeyResponse = { isValid: boolean; message: string };

/** The sentence that an operator confirms in Settings to turn on video sites. */
export const RIGHTS = "I hold the rights to the videos, or their owners allow me to download them.";
