import type { RowSettings, SettingName } from "#contract/job-settings/job-settings.ts";
import { SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";
import { ClipmillError } from "#contract/errors.ts";
import { withPlatformDefaults } from "#contract/jobs/outputs/platforms.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { PRESET_SETTINGS } from "#contract/presets/preset-settings.ts";
import { readSetting } from "#contract/table/read-setting.ts";

export type TypedSettings = Record<string, unknown>;

/**
 * Reads `name=value` pairs; repeat one, or use lines, for a list. Texts and music turn their feature on. Throws
 * ClipmillError "invalid" for the first invalid pair.
 */
export function readTypedSettings(pairs: readonly string[]): TypedSettings {
  const settings: TypedSettings = {};
  for (const pair of pairs) {
    const [, name = "", text = ""] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (!isSetting(name)) throw new ClipmillError("invalid", unknown(name === "" ? pair : name));
    const value = readValue(name, text);
    const before = settings[name];
    if (before !== undefined && !Array.isArray(before)) {
      throw new ClipmillError("invalid", `--setting ${name} is set twice. Keep one.`);
    }
    settings[name] = Array.isArray(before) ? [...(before as unknown[]), ...(value as unknown[])] : value;
  }
  return withSwitches(withPlatformDefaults(settings) as RowSettings);
}

function readValue(name: SettingName, text: string): unknown {
  const trimmed = text.trim();
  // An empty value turns a setting off, if possible.
  if (trimmed === "") return settingOf(name).kind === "list" ? [] : null;
  const read = readSetting(name, trimmed, null);
  if ("value" in read) return read.value;
  throw new ClipmillError("invalid", `--setting ${name}: ${read.message}`);
}

function isSetting(name: string): name is SettingName {
  return (PRESET_SETTINGS as readonly string[]).includes(name);
}

function unknown(name: string): string {
  if (name === "job_name") return "Specify the job's name with --name.";
  if ((SETTING_NAMES as readonly string[]).includes(name)) return "Specify the job's videos with --from or --link.";
  return `There is no setting ${name}. Use --setting name=value, with one of: ${PRESET_SETTINGS.join(", ")}.`;
}
