/** Settings as the function of that name takes and answers them (DESIGN section 7). */
import { z } from "zod";
import { AUDIO_MODES, type AudioMode } from "./jobs.ts";

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
  JobPreferences & { saved_defaults: (keyof JobPreferences)[] };

/** What the settings screen starts from (SPEC section 9). */
export const PREFERENCE_DEFAULTS: JobPreferences = {
  default_variants: 1,
  default_audio_mode: "replace",
  default_video_gain: 0.5,
  default_music_gain: 0.5,
};

const key = z.string().trim().max(500).nullish();
const gain = z.number().min(0).max(1).nullish();

/** What may be saved: what is absent stays, as does a key that is ""; null goes back to nothing or the default. */
export const saveSettingsSchema = z.object({
  google_drive_key: key,
  openai_key: key,
  default_variants: z.int().min(1).max(10).nullish(),
  default_audio_mode: z.enum(AUDIO_MODES).nullish(),
  default_video_gain: gain,
  default_music_gain: gain,
});
