/** The calls about settings, by name and type. All of them throw CallError. */
import type { PageSetting } from "#contract/settings/embedded-pages.ts";
import type { JobPreferences, ServiceKey, SettingsResponse, TestKeyResponse } from "#contract/settings/settings.ts";
import { callFunction } from "./call-function.ts";

/** Where the settings are kept in the cache. */
export const settingsKey = ["settings"] as const;

export function loadSettings(signal?: AbortSignal): Promise<SettingsResponse> {
  return callFunction("settings", { method: "GET" }, { signal });
}

/** Absent fields and keys that are "" stay unchanged; null removes a setting. */
export type SettingsChange = Partial<
  Record<ServiceKey | PageSetting, string | null> & JobPreferences & Pick<SettingsResponse, "output_retention_days">
>;

/** Saves what is given, and answers what there is then. */
export function saveSettings(change: SettingsChange): Promise<SettingsResponse> {
  return callFunction("settings", change);
}

/** Shows a key to its service: the typed one, or the saved one for "". A refusal is an answer, not an error. */
export function testKey(name: ServiceKey, key: string): Promise<TestKeyResponse> {
  return callFunction("test-key", { name, key });
}
