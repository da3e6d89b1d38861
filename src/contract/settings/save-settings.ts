import { z } from "zod";
import { MAX_ADDRESS_CHARACTERS } from "./embedded-pages.ts";
import { AUDIO_MODES } from "../jobs/jobs.ts";
import { OPTIONAL_HOSTS } from "../sources/link-hosts.ts";
import { DEFAULT_VARIANTS_RANGE, RETENTION_DAYS_RANGE, SERVICE_KEYS } from "./settings.ts";

const key = z
  .string()
  .trim()
  .max(500)
  // Sent in a header or URL.
  .regex(/^[\x21-\x7e]*$/, "An API key can contain only ASCII letters, digits and punctuation, without spaces.");
const address = z.string().trim().max(MAX_ADDRESS_CHARACTERS).nullish();
const gain = z.number().min(0).max(1).nullish();

/**
 * Absent fields and keys of "" stay unchanged; null, and addresses of "", reset, except that a null
 * output_retention_days keeps files forever.
 */
export const saveSettingsSchema = z.object({
  google_drive_key: key.nullish(),
  openai_key: key.nullish(),
  default_variants: z.int().min(DEFAULT_VARIANTS_RANGE.least).max(DEFAULT_VARIANTS_RANGE.most).nullish(),
  default_audio_mode: z.enum(AUDIO_MODES).nullish(),
  default_video_gain: gain,
  default_music_gain: gain,
  batch_scheduler_url: address,
  warmup_robot_url: address,
  source_hosts: z.array(z.enum(OPTIONAL_HOSTS)).nullish(),
  /** Required (true) to turn on video sites: the operator holds the rights. Recorded in the audit log. */
  confirms_rights: z.boolean().nullish(),
  output_retention_days: z.int().min(RETENTION_DAYS_RANGE.least).max(RETENTION_DAYS_RANGE.most).nullish(),
  prefetch_sources: z.boolean().nullish(),
});

/** Absent or "" tests the saved key. */
export const testKeySchema = z.object({ name: z.enum(SERVICE_KEYS), key: key.optional() });
