import { z } from "zod";
import { component, keysOf } from "../component.ts";
import { AUDIO_MODES } from "../jobs/jobs.ts";
import { SourceHostName } from "../sources/link-host.ts";
import { transcriptNamesSchema } from "../transcripts/names.ts";
import { OPTIONAL_HOSTS } from "../sources/link-hosts.ts";
import { MAX_ADDRESS_CHARACTERS, PAGE_SETTINGS } from "./embedded-pages.ts";
import { MODEL_SERVERS, MODEL_SETTINGS, type ModelKind } from "./models.ts";
import { glossarySchema, GlossaryTerm } from "./glossary.ts";

/** Stored encrypted, never returned. */
export const SERVICE_KEYS = ["google_drive_key", "openai_key", "text_key", "vision_key", "transcription_key"] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

export const KeyState = component(
  "KeyState",
  "`last4` is null for a short key, of which it would reveal too much.",
  () => ({
    set: z.boolean(),
    last4: z.string().nullable(),
    updatedAt: z.string().nullable(),
  }),
);
export type KeyState = z.infer<typeof KeyState>;

const PREFERENCES = {
  default_variants: z.number(),
  default_audio_mode: z.enum(AUDIO_MODES),
  default_video_gain: z.number(),
  default_music_gain: z.number(),
};
export type JobPreferences = z.infer<z.ZodObject<typeof PREFERENCES>>;

export const SettingsResponse = component(
  "SettingsResponse",
  "`saved_defaults` lists the saved preferences, which override the job screen's.",
  () => ({
    google_drive_key: KeyState,
    openai_key: KeyState,
    text_key: KeyState,
    vision_key: KeyState,
    transcription_key: KeyState,
    ...PREFERENCES,
    batch_scheduler_url: z.string().nullable(),
    warmup_robot_url: z.string().nullable(),
    text_base_url: z
      .string()
      .nullable()
      .describe("Generates captions, and translates captions and subtitles. Null uses OpenAI."),
    text_model: z.string().nullable().describe("Null uses the default model."),
    vision_base_url: z.string().nullable().describe("Writes captions for videos. Null uses OpenAI."),
    vision_model: z.string().nullable().describe("Null uses the default model."),
    transcription_base_url: z.string().nullable().describe("Null uses OpenAI."),
    transcription_model: z.string().nullable().describe("Null picks one of the server's models."),
    can_transcribe: z
      .boolean()
      .describe("True if a key or a server is set, so that subtitles can be made from speech."),
    fixed_settings: z
      .array(z.enum([...keysOf(PAGE_SETTINGS).options, ...MODEL_SETTINGS]))
      .describe("Set by the environment: read-only."),
    saved_defaults: z.array(keysOf(PREFERENCES)),
    source_hosts: z.array(SourceHostName),
    private_sources: z
      .array(z.string())
      .describe("Non-public `host:port` addresses from which the environment allows files."),
    output_retention_days: z
      .number()
      .nullable()
      .exactOptional()
      .describe("Days after a job ends; null keeps files forever."),
    transcript_names: z
      .array(z.object({ from: z.string().exactOptional(), to: z.string() }))
      .describe("How names are spelled in new transcripts. `from` is a common misspelling."),
    glossary: z.array(GlossaryTerm).describe("Terms that caption translations keep, or always translate the same way."),
    prefetch_sources: z.boolean().describe("Fetches sources while the form is open and before their videos start."),
  }),
);
export type SettingsResponse = z.infer<typeof SettingsResponse>;

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

export const TestKeyResponse = component("TestKeyResponse", "Without a key, tests the saved one.", () => ({
  isValid: z.boolean(),
  message: z.string(),
}));
export type TestKeyResponse = z.infer<typeof TestKeyResponse>;

/** Confirmed by an operator to turn on video sites. */
export const RIGHTS = "I hold the rights to the videos, or their owners allow me to download them.";

const key = z
  .string()
  .trim()
  .max(500)
  // Sent in a header or URL.
  .regex(/^[\x21-\x7e]*$/, "An API key can contain only ASCII letters, digits and punctuation, without spaces.");
const address = z.string().trim().max(MAX_ADDRESS_CHARACTERS).nullish();
const serverAddress = (kind: ModelKind) =>
  z
    .string()
    .trim()
    .max(MAX_ADDRESS_CHARACTERS)
    .regex(/^(?:https:\/\/[^\s?#]+)?$/i, `${MODEL_SERVERS[kind]}'s address must start with https://.`)
    .transform((url) => url.replace(/\/+$/, ""))
    .nullish();
const model = z.string().trim().max(200).nullish();
const gain = z.number().min(0).max(1).nullish();

/**
 * Absent fields and keys of "" stay unchanged; null, and addresses of "", reset, except that a null
 * output_retention_days keeps files forever. Another address of a model server removes its key, unless the request has
 * one.
 */
export const saveSettingsSchema = z.object({
  google_drive_key: key.nullish(),
  openai_key: key.nullish(),
  text_key: key.nullish(),
  vision_key: key.nullish(),
  transcription_key: key.nullish(),
  default_variants: z.int().min(DEFAULT_VARIANTS_RANGE.least).max(DEFAULT_VARIANTS_RANGE.most).nullish(),
  default_audio_mode: z.enum(AUDIO_MODES).nullish(),
  default_video_gain: gain,
  default_music_gain: gain,
  batch_scheduler_url: address,
  warmup_robot_url: address,
  text_base_url: serverAddress("text"),
  text_model: model,
  vision_base_url: serverAddress("vision"),
  vision_model: model,
  transcription_base_url: serverAddress("transcription"),
  transcription_model: model,
  source_hosts: z.array(z.enum(OPTIONAL_HOSTS)).nullish(),
  /** Required (true) to turn on video sites: the operator holds the rights. Recorded in the audit log. */
  confirms_rights: z.boolean().nullish(),
  output_retention_days: z.int().min(RETENTION_DAYS_RANGE.least).max(RETENTION_DAYS_RANGE.most).nullish(),
  glossary: glossarySchema.nullish(),
  prefetch_sources: z.boolean().nullish(),
  transcript_names: transcriptNamesSchema.nullish(),
});

/** Absent or "" tests the saved key. */
export const testKeySchema = z.object({ name: z.enum(SERVICE_KEYS), key: key.optional() });
