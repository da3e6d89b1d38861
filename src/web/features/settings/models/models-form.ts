import {
  MODEL_KINDS,
  MODEL_SETTINGS,
  type ModelKey,
  type ModelKind,
  type ModelSetting,
} from "#contract/settings/models.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import type { SettingsChange } from "../../../api/functions/settings/settings.ts";

/** Keys are never returned, so their fields start empty. */
export type ModelsForm = Record<ModelSetting | ModelKey, string>;

export function toForm(settings: SettingsResponse): ModelsForm {
  return Object.fromEntries([
    ...MODEL_SETTINGS.map((name) => [name, settings[name] ?? ""]),
    ...MODEL_KINDS.map((kind) => [`${kind}_key`, ""]),
  ]) as ModelsForm;
}

/** An empty key stays unchanged. */
export function toChange(typed: ModelsForm, edited: ReadonlySet<string>): SettingsChange {
  const changed = Object.entries(typed).filter(([name]) => edited.has(name));
  return Object.fromEntries(
    changed.map(([name, text]) => [name, name.endsWith("_key") ? text.trim() : text.trim() || null]),
  );
}

/** Returns the server and the model in a few words. */
export function describeServer(settings: SettingsResponse, kind: ModelKind): string {
  const address = settings[`${kind}_base_url`];
  const host = address === null ? "OpenAI" : (URL.parse(address)?.host ?? address);
  return [host, settings[`${kind}_model`]].filter((part) => part !== null).join(" · ");
}

export function explainAddress(text: string): true | string {
  return /^(?:https:\/\/[^\s?#]+)?$/i.test(text.trim()) || "The address must start with https://.";
}
