import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import {
  MODEL_KINDS,
  MODEL_SERVERS,
  MODEL_SETTINGS,
  type ModelKey,
  type ModelKind,
  type ModelSetting,
  type ModelSettings,
  modelSettings,
  variableOfModel,
} from "#contract/settings/models.ts";
import type { ModelServer } from "#integrations/openai/openai.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { readServiceKey } from "./service-key.ts";
import { lockSetting, removeSetting, writeSetting } from "./write-setting.ts";

/** For cooldowns: each server has its own. */
export type ModelHost = "openai" | ModelKind;

/** `model` is null without a setting. */
export type ModelAccess = ModelServer & { model: string | null; host: ModelHost };

/** Servers that need no key ignore it, but the client requires one. */
const NO_KEY = "none";

type Services = Pick<Context, "db" | "secrets" | "openAi" | "hosts">;

/**
 * Null if neither a server nor a key is set. `typedKey` replaces the saved one. The OpenAI key is sent only to OpenAI,
 * and addresses saved in Settings must be public. Throws ClipmillError "invalid" if a key cannot be decrypted.
 */
export async function readModelAccess(
  context: Services,
  kind: ModelKind,
  typedKey: string | null = null,
): Promise<ModelAccess | null> {
  const settings = await readModelSettings(context);
  const { host, baseUrl } = serverOf(context, settings, kind);
  const isOpenAi = host === "openai";
  const ownKey = typedKey ?? (await readServiceKey(context, `${kind}_key`));
  const apiKey = ownKey ?? (isOpenAi ? await readServiceKey(context, "openai_key") : NO_KEY);
  if (apiKey === null) return null;
  const isPublicOnly = !isOpenAi && context.hosts.models[`${kind}_base_url`] === null;
  const name = isOpenAi ? null : MODEL_SERVERS[kind];
  return { baseUrl, apiKey, name, isPublicOnly, host, model: settings[`${kind}_model`] };
}

export async function readModelHost(
  context: Pick<Context, "db" | "openAi" | "hosts">,
  kind: ModelKind,
): Promise<ModelHost> {
  return serverOf(context, await readModelSettings(context), kind).host;
}

function serverOf(
  { openAi }: Pick<Context, "openAi">,
  settings: ModelSettings,
  kind: ModelKind,
): { host: ModelHost; baseUrl: string } {
  const baseUrl = settings[`${kind}_base_url`] ?? openAi.baseUrl;
  return { host: baseUrl === openAi.baseUrl ? "openai" : kind, baseUrl };
}

/** For the start of a sentence. */
export function nameOfServer({ name }: Pick<ModelServer, "name">): string {
  return name ?? "OpenAI";
}

/** True if `readModelAccess` would return one. Decrypts nothing. */
export async function canUseModel({ db, hosts }: Pick<Context, "db" | "hosts">, kind: ModelKind): Promise<boolean> {
  if (hosts.models[`${kind}_base_url`] !== null) return true;
  const found = await db
    .selectFrom("settings")
    .select("name")
    .where("name", "in", ["openai_key", `${kind}_key`, `${kind}_base_url`])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The environment's values override saved ones. */
export async function readModelSettings({ db, hosts }: Pick<Context, "db" | "hosts">): Promise<ModelSettings> {
  const saved = await readSaved(db);
  return modelSettings((name) => hosts.models[name] ?? saved.get(name));
}

export function fixedModelSettings({ hosts }: Pick<Context, "hosts">): ModelSetting[] {
  return MODEL_SETTINGS.filter((name) => hosts.models[name] !== null);
}

/**
 * Null and "" remove a value. A key is only for the server that it was entered for: another address removes it. Returns
 * the removed keys; save new ones afterwards. Throws ClipmillError "conflict" for a value set by the environment.
 */
export async function saveModelSettings(
  context: Pick<Context, "hosts">,
  trx: Kysely<Tables>,
  given: Partial<Record<ModelSetting, string | null | undefined>>,
): Promise<ModelKey[]> {
  const fixed = fixedModelSettings(context);
  const moved: ModelKind[] = [];
  for (const name of MODEL_SETTINGS) {
    const value = given[name];
    if (value === undefined) continue;
    if (fixed.includes(name)) {
      const variable = variableOfModel(name);
      throw new ClipmillError("conflict", `${variable} in the server's environment sets this. Change it there.`);
    }
    const next = value ? JSON.stringify(value) : null;
    const kind = MODEL_KINDS.find((one) => name === `${one}_base_url`);
    if (kind && next !== (await lockSetting(trx, name))) moved.push(kind);
    if (next === null) await removeSetting(trx, name);
    else await writeSetting(trx, name, next);
  }
  // After the addresses are written: a save in another transaction has then ended, so its keys are removed, too.
  const removed: ModelKey[] = [];
  for (const kind of moved) if (await removeSetting(trx, `${kind}_key`)) removed.push(`${kind}_key`);
  return removed;
}

async function readSaved(db: Kysely<Tables>): Promise<Map<string, string>> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).where("name", "in", MODEL_SETTINGS).execute();
  return new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as string]));
}
