/** Reads the job settings table: defaults, choices, and groups of settings. */
import {
  JOB_SETTINGS,
  type JobSettings,
  type PreviewSettings,
  type RerunSettings,
  type SettingName,
  type StreamSettings,
} from "./job-settings.ts";
import type { Setting, StreamPart } from "./setting-kinds.ts";

const ROWS: Readonly<Record<SettingName, Setting>> = JOB_SETTINGS;

/** In the table's order. */
export const SETTING_NAMES = Object.keys(ROWS) as SettingName[];

/** The default of every setting. */
export const JOB_DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, ROWS[name].default]),
) as unknown as JobSettings;

/** Returns a row, typed without the table's literal types. */
export function settingOf(name: SettingName): Setting {
  return ROWS[name];
}

/** Returns matching names in the table's order. */
export function settingsWhere(isWanted: (row: Setting) => boolean): SettingName[] {
  return SETTING_NAMES.filter((name) => isWanted(ROWS[name]));
}

export type ChoiceName = {
  [Name in SettingName]: (typeof JOB_SETTINGS)[Name] extends { kind: "choice" } ? Name : never;
}[SettingName];

/** Returns the settings with a fixed list of values, in the table's order. */
export function choiceNames(): ChoiceName[] {
  return settingsWhere((row) => row.kind === "choice") as ChoiceName[];
}

/** Returns the values of a choice, without null (off). */
export function choicesOf<Name extends ChoiceName>(name: Name): readonly NonNullable<JobSettings[Name]>[] {
  const row: Extract<Setting, { kind: "choice" }> = JOB_SETTINGS[name];
  const values = Object.keys(row.choices);
  return (row.isNumeric ? values.map(Number) : values) as NonNullable<JobSettings[Name]>[];
}

/** Returns the label of a choice's value. */
export function choiceLabel(row: Setting, value: unknown): string {
  if (row.kind !== "choice") return String(value);
  return (row.choices as Record<string, string>)[String(value)] ?? row.offLabel ?? "Off";
}

/** Returns true if the value equals the default. Compares lists by content. */
export function isDefault<Name extends SettingName>(name: Name, value: JobSettings[Name]): boolean {
  return JSON.stringify(value) === JSON.stringify(JOB_DEFAULTS[name]);
}

/** Returns a copy with only the named settings, in the order of `names`. */
export function pickSettings<Settings extends object, Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Pick<Settings, Name> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, Name>;
}

/** Returns the settings that a rerun copies. The job's name is not one of them. */
export function rerunSettings(job: JobSettings): RerunSettings {
  return pickSettings(job, settingsWhere((row) => row.isRerun) as (keyof RerunSettings)[]);
}

/**
 * Returns the settings that are part of stream keys. Texts, tracks and cuts are not included: they have their own keys.
 */
export function streamSettings(settings: JobSettings): StreamSettings {
  const names = settingsWhere((row) => row.stream !== null) as (keyof StreamSettings)[];
  return pickSettings(settings, names);
}

const VISIBLE: ReadonlySet<StreamPart | null> = new Set(["drawing", "framing", "picture", "watermark"]);

/** Returns the settings that are visible in a frame, in the table's order. */
export function previewSettingNames(): (keyof PreviewSettings)[] {
  const names = settingsWhere((row) => VISIBLE.has(row.stream));
  return names as (keyof PreviewSettings)[];
}

/** For the keys of the part's streams. */
export function settingsOfPart<Part extends StreamPart>(
  settings: StreamSettings<Part>,
  part: Part,
): StreamSettings<Part> {
  return pickSettings(settings, namesOfPart(part));
}

/** Returns true if all settings of a part have their defaults. */
export function hasDefaults<Part extends StreamPart>(settings: StreamSettings<Part>, part: Part): boolean {
  return Object.entries(settingsOfPart(settings, part)).every(([name, value]) =>
    isDefault(name as SettingName, value as never),
  );
}

function namesOfPart<Part extends StreamPart>(part: Part): (keyof StreamSettings<Part>)[] {
  return settingsWhere((row) => row.stream === part) as (keyof StreamSettings<Part>)[];
}
