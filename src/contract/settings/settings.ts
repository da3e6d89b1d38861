import type { PageSetting } from "./embedded-pages.ts";
import type { AudioMode } from "../jobs/jobs.ts";
import type { SourceHostName } from "../sources/link-host.ts";

/** Stored encrypted, never returned. */
export const SERVICE_KEYS = ["google_drive_key", "openai_key"] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

/** `last4` is null for a short key, of which it would reveal too much. */
export type KeyState = { set: boolean; last4: string | null; updatedAt: string | null };

export type JobPreferences = {
  default_variants: number;
  default_audio_mode: AudioMode;
  default_video_gain: number;
  default_music_gain: number;
};

/** `saved_defaults` lists the saved preferences, which override the job screen's. */
export type SettingsResponse = Record<ServiceKey, KeyState> &
  JobPreferences &
  Record<PageSetting, string | null> & {
    /** Set by the environment: read-only. */
    fixed_settings: PageSetting[];
    saved_defaults: (keyof JobPreferences)[];
    source_hosts: SourceHostName[];
    /** Non-public `host:port` addresses from which the environment allows files. */
    private_sources: string[];
    /** Days after a job ends; null keeps files forever. */
    output_retention_days?: number | null;
    /** Fetches sources while the form is open and before their videos start. */
    prefetch_sources: boolean;
  };

/** SPEC section 9. */
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

/** Without a key, tests the saved one. */
export type TestKeyResponse = { isValid: boolean; message: string };

/** Confirmed by an operator to turn on video sites. */
export const RIGHTS = "I hold the rights to the videos, or their owners allow me to download them.";
