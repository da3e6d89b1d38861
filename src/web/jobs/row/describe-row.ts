import type { JobRow, JobSettings, RowSettings, SettingName } from "#contract/job-settings/job-settings.ts";
import { choiceLabel, SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { pluralize } from "./pluralize.ts";

/** Keeps the settings' order. Omits what others imply. */
export function describeRow(settings: RowSettings | null | undefined): [name: string, value: string][] {
  return ownNames(settings).map((name) => [settingOf(name).label, describeValue(name, settings![name as "format"])]);
}

export function countOwn(settings: RowSettings | null | undefined): number {
  return ownNames(settings).length;
}

export function describePass({ pass = {} }: Pick<JobRow, "pass">): [name: string, value: string][] {
  return Object.entries(pass);
}

const SWITCHES = ["captions_enabled", "subtitles_enabled", "audio_enabled", "watermark_enabled"] as const;

function ownNames(settings: RowSettings | null | undefined): SettingName[] {
  if (!settings) return [];
  const others = Object.fromEntries(Object.entries(settings).filter(([name]) => !SWITCHES.some((one) => one === name)));
  const implied = withSwitches(others) as Partial<JobSettings>;
  const isImplied = (name: SettingName) =>
    SWITCHES.some((one) => one === name) && implied[name] === (settings as Partial<JobSettings>)[name];
  return SETTING_NAMES.filter((name) => name in settings && !isImplied(name));
}

function describeValue(name: SettingName, value: unknown): string {
  const row = settingOf(name);
  if (Array.isArray(value)) return describeList(name, value as string[]);
  if (row.kind === "flag") return value === true ? "On" : "Off";
  if (row.kind === "choice") return choiceLabel(row, value);
  if (value === null) return "Off";
  if (row.kind === "share" || row.kind === "gain") return `${Math.round(Number(value) * 100)}%`;
  const text = `${value as string | number}`;
  return row.unit ? `${text} ${row.unit}` : text;
}

function describeList(name: SettingName, items: readonly string[]): string {
  if (items.length === 0) return "None";
  if (name === "custom_audio_links") return pluralize(items.length, "track");
  return items.length === 1 ? items[0]! : `${items[0]!} (and ${items.length - 1} more)`;
}
