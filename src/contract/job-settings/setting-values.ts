/** Reads the table of job settings: defaults, choices, and the settings that go together. */
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

/** All names, in the table's order. */
export const SETTING_NAMES = Object.keys(ROWS) as SettingName[];

/** The settings of a job that asks for nothing. */
export const JOB_DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, ROWS[name].default]),
) as unknown as JobSettings;

/** Returns a setting's row, without the literal types of the table. */
export function settingOf(name: SettingName): Setting {
  return ROWS[name];
}

/** Returns the names of the settings for which `isWanted` holds, in the table's order. */
export function settingsWhere(isWanted: (row: Setting) => boolean): SettingName[] {
  return SETTING_NAMES.filter((name) => isWanted(ROWS[name]));
}

/** The settings that are a choice. */
export type ChoiceName = {
  [Name in SettingName]: (typeof JOB_SETTINGS)[Name] extends { kind: "choice" } ? Name : never;
}[SettingName];

/** Returns the names of all choices. */
export function choiceNames(): ChoiceName[] {
  return settingsWhere((row) => row.kind === "choice") as ChoiceName[];
}

/** Returns the values of a choice, without the null that means off. */
export function choicesOf<Name extends ChoiceName>(name: Name): readonly NonNullable<JobSettings[Name]>[] {
  return Object.keys(JOB_SETTINGS[name].choices) as NonNullable<JobSettings[Name]>[];
}

/** True if `value` is the setting's default. */
export function isDefault<Name extends SettingName>(name: Name, value: JobSettings[Name]): boolean {
  return JSON.stringify(value) === JSON.stringify(JOB_DEFAULTS[name]);
}

/** Returns these settings and nothing else of a job. */
export function pickSettings<Settings extends object, Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Pick<Settings, Name> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, Name>;
}

/** Returns the settings that a rerun copies. */
export function rerunSettings(job: JobSettings): RerunSettings {
  return pickSettings(job, settingsWhere((row) => row.isRerun) as (keyof RerunSettings)[]);
}

/** Returns the settings that change streams. */
export function streamSettings(settings: JobSettings): StreamSettings {
  const names = settingsWhere((row) => row.stream !== null) as (keyof StreamSettings)[];
  return pickSettings(settings, names);
}

/** Returns the names of the settings that change what a preview shows. */
export function previewSettingNames(): (keyof PreviewSettings)[] {
  const names = settingsWhere((row) => row.stream === "drawing" || row.stream === "picture");
  return names as (keyof PreviewSettings)[];
}

/** Returns the settings that change this part of a render, for the keys of its streams. */
export function settingsOfPart<Part extends StreamPart>(
  settings: StreamSettings<Part>,
  part: Part,
): StreamSettings<Part> {
  return pickSettings(settings, namesOfPart(part));
}

/** True if no setting changes this part of a render from what it is by default. */
export function hasDefaults<Part extends StreamPart>(settings: StreamSettings<Part>, part: Part): boolean {
  return Object.entries(settingsOfPart(settings, part)).every(([name, value]) =>
    isDefault(name as SettingName, value as never),
  );
}

function namesOfPart<Part extends StreamPart>(part: Part): (keyof StreamSettings<Part>)[] {
  return settingsWhere((row) => row.stream === part) as (keyof StreamSettings<Part>)[];
}
