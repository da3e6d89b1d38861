import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { TRANSCRIPTION_SETTINGS, type TranscriptionSetting } from "#contract/settings/settings.ts";
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { TranscriptionServer } from "#integrations/openai/transcribe-words.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { readServiceKey } from "../settings/service-key.ts";
import { lockSetting, removeSetting, writeSetting } from "../settings/write-setting.ts";

/** `model` is null to choose one of the server's. Addresses saved in Settings must be public. */
export type TranscriptionAccess = TranscriptionServer & {
  model: string | null;
  /** For cooldowns. */
  host: Extract<HostName, "openai" | "transcription">;
};

const OPTIONS = {
  transcription_base_url: { option: "baseUrl", variable: "OPENAI_TRANSCRIPTION_BASE_URL" },
  transcription_model: { option: "model", variable: "OPENAI_TRANSCRIPTION_MODEL" },
} as const satisfies Record<TranscriptionSetting, object>;

/** Servers that need no key ignore it, but the client requires one. */
const NO_KEY = "none";

type Services = Pick<Context, "db" | "secrets" | "openAi" | "hosts">;

/** Null if neither a server nor a key is set. `typedKey` replaces the saved one. Throws ClipmillError "invalid" if a key cannot be decrypted. */
export async function readTranscriptionAccess(
  context: Services,
  typedKey: string | null = null,
): Promise<TranscriptionAccess | null> {
  const { transcription_base_url: baseUrl, transcription_model: model } = await readTranscriptionSettings(context);
  const isOpenAi = baseUrl === null || baseUrl === context.openAi.baseUrl;
  const ownKey = typedKey ?? (await readServiceKey(context, "transcription_key"));
  const apiKey = ownKey ?? (isOpenAi ? await readServiceKey(context, "openai_key") : NO_KEY);
  if (apiKey === null) return null;
  const isPublicOnly = !isOpenAi && context.hosts.transcription.baseUrl === null;
  const host = isOpenAi ? "openai" : "transcription";
  return { baseUrl: baseUrl ?? context.openAi.baseUrl, apiKey, model, host, isOpenAi, isPublicOnly };
}

/** Throws ClipmillError "not_transcribed" if neither a server nor a key is set. */
export async function requireTranscriptionAccess(context: Services): Promise<TranscriptionAccess> {
  const access = await readTranscriptionAccess(context);
  if (access) return access;
  const message = "Transcription is not set up. Enter an OpenAI key or a transcription server in Settings.";
  throw new ClipmillError("not_transcribed", message);
}

/** True if `readTranscriptionAccess` would return one. Decrypts nothing. */
export async function canTranscribe({ db, hosts }: Pick<Context, "db" | "hosts">): Promise<boolean> {
  if (hosts.transcription.baseUrl !== null) return true;
  const found = await db
    .selectFrom("settings")
    .select("name")
    .where("name", "in", ["openai_key", "transcription_key", "transcription_base_url"])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The environment's values override saved ones. */
export async function readTranscriptionSettings({
  db,
  hosts,
}: Pick<Context, "db" | "hosts">): Promise<Record<TranscriptionSetting, string | null>> {
  const rows = await db
    .selectFrom("settings")
    .select(["name", "value"])
    .where("name", "in", TRANSCRIPTION_SETTINGS)
    .execute();
  const saved = new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as string]));
  const valueOf = (name: TranscriptionSetting) => hosts.transcription[OPTIONS[name].option] ?? saved.get(name) ?? null;
  return {
    transcription_base_url: valueOf("transcription_base_url"),
    transcription_model: valueOf("transcription_model"),
  };
}

export function fixedTranscriptionSettings({ hosts }: Pick<Context, "hosts">): TranscriptionSetting[] {
  return TRANSCRIPTION_SETTINGS.filter((name) => hosts.transcription[OPTIONS[name].option] !== null);
}

/**
 * Null and "" remove a value. Another address removes `transcription_key`, which is only for the server that it was
 * entered for; then returns true. Save a new key afterwards. Throws ClipmillError "conflict" for a value set by the
 * environment.
 */
export async function saveTranscriptionSettings(
  context: Pick<Context, "hosts">,
  trx: Kysely<Tables>,
  given: Partial<Record<TranscriptionSetting, string | null | undefined>>,
): Promise<boolean> {
  const fixed = fixedTranscriptionSettings(context);
  let isOtherServer = false;
  for (const name of TRANSCRIPTION_SETTINGS) {
    const value = given[name];
    if (value === undefined) continue;
    if (fixed.includes(name)) {
      const { variable } = OPTIONS[name];
      throw new ClipmillError("conflict", `${variable} in the server's environment sets this. Change it there.`);
    }
    const next = value ? JSON.stringify(value) : null;
    if (name === "transcription_base_url") isOtherServer = next !== (await lockSetting(trx, name));
    if (next === null) await removeSetting(trx, name);
    else await writeSetting(trx, name, next);
  }
  // After the address is written: a save in another transaction has then ended, so its key is removed, too.
  return isOtherServer && (await removeSetting(trx, "transcription_key"));
}
