import { isDefault, settingOf } from "#contract/job-settings/setting-values.ts";
import { PRESET_SETTINGS, type PresetSettingName, type PresetSettings } from "#contract/presets/preset-settings.ts";
import { describeValue } from "../../jobs/describe-other-settings.ts";

const MAX_FACTS = 5;

/** Returns "Quality: High" for settings that are not the default, up to a maximum. */
export function describePreset(settings: PresetSettings): string[] {
  const facts = PRESET_SETTINGS.filter((name) => !isDefault(name, settings[name])).map(
    (name) => `${settingOf(name).label}: ${describeSetting(name, settings)}`,
  );
  if (facts.length === 0) return ["All settings are at their defaults"];
  const more = facts.length - MAX_FACTS;
  return more > 0 ? [...facts.slice(0, MAX_FACTS), `${more} more`] : facts;
}

/** Returns "Quality: Draft, now High" for each setting that differs from the current version. */
export function describeVersion(version: PresetSettings, current: PresetSettings): string[] {
  return PRESET_SETTINGS.filter((name) => JSON.stringify(version[name]) !== JSON.stringify(current[name])).map(
    (name) => {
      const [then, now] = [describeSetting(name, version), describeSetting(name, current)];
      return `${settingOf(name).label}: ${then === now ? "other" : then}, now ${now}`;
    },
  );
}

/** Set IDs and image links mean nothing to the operator. */
function describeSetting(name: PresetSettingName, settings: PresetSettings): string {
  const row = settingOf(name);
  if (row.kind === "id" || row.kind === "link") return settings[name] === null ? "None" : "Chosen";
  return describeValue(row, settings[name]);
}
