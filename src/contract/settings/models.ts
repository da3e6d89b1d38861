/** No zod. What models are used for; speech synthesis is not. */
export const MODEL_KINDS = ["text", "vision", "transcription"] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Keyed by kind: the server in sentences. A kind without an own server uses OpenAI. */
export const MODEL_SERVERS = {
  text: "The text server",
  vision: "The vision server",
  transcription: "The transcription server",
} as const satisfies Record<ModelKind, string>;

/** The environment may set them, too. */
export const MODEL_SETTINGS = [
  "text_base_url",
  "text_model",
  "vision_base_url",
  "vision_model",
  "transcription_base_url",
  "transcription_model",
] as const satisfies `${ModelKind}_${"base_url" | "model"}`[];
export type ModelSetting = (typeof MODEL_SETTINGS)[number];
export type ModelKey = `${ModelKind}_key`;

export type ModelSettings = Readonly<Record<ModelSetting, string | null>>;

export function modelSettings(valueOf: (name: ModelSetting) => string | null | undefined): ModelSettings {
  const entries = MODEL_SETTINGS.map((name) => [name, valueOf(name) ?? null] as const);
  return Object.fromEntries(entries) as ModelSettings;
}

export function variableOfModel(setting: ModelSetting): `OPENAI_${Uppercase<ModelSetting>}` {
  return `OPENAI_${setting.toUpperCase() as Uppercase<ModelSetting>}`;
}
