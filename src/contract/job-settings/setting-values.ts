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

export const SETTING_NAMES = Object.keys(ROWS) as SettingName[];

export const JOB_DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, ROWS[name].default]),
) as unknown as JobSettings;

/** Omits the table's literal types. */
export function settingOf(name: SettingName): Setting {
  return ROWS[name];
}

/** In the table's order. */
export function settingsWhere(isWanted: (row: Setting) => boolean): SettingName[] {
  return SETTING_NAMES.filter((name) => isWanted(ROWS[name]));
}

export type ChoiceName = {
  [Name in SettingName]: (typeof JOB_SETTINGS)[Name] extends { kind: "choice" } ? Name : never;
}[SettingName];

export function choiceNames(): ChoiceName[] {
  return settingsWhere((row) => row.kind === "choice") as ChoiceName[];
}

export type LinkName = {
  [Name in SettingName]: (typeof JOB_SETTINGS)[Name] extends { kind: "link" } ? Name : never;
}[SettingName];

export function linkNames(): LinkName[] {
  return settingsWhere((row) => row.kind === "link") as LinkName[];
}

/** Excludes null (off). */
export function choicesOf<Name extends ChoiceName>(name: Name): readonly NonNullable<JobSettings[Name]>[] {
  const row: Extract<Setting, { kind: "choice" }> = JOB_SETTINGS[name];
  const values = Object.keys(row.choices);
  return (row.isNumeric ? values.map(Number) : values) as NonNullable<JobSettings[Name]>[];
}

export function choiceLabel(row: Setting, value: unknown): string {
  if (row.kind !== "choice") return String(value);
  return (row.choices as Record<string, string>)[String(value)] ?? row.offLabel ?? "Off";
}

export function roundSetting({ decimals }: Extract<Setting, { kind: "number" }>, value: number): number {
  return decimals === undefined ? value : Number(value.toFixed(decimals));
}

/** Compares lists by content. */
export function isDefault<Name extends SettingName>(name: Name, value: JobSettings[Name]): boolean {
  return JSON.stringify(value) === JSON.stringify(JOB_DEFAULTS[name]);
}

export function pickSettings<Settings extends object, Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Pick<Settings, Name> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, Name>;
}

/** Excludes the job's name. */
export function rerunSettings(job: JobSettings): RerunSettings {
  return pickSettings(job, settingsWhere((row) => row.isRerun) as (keyof RerunSettings)[]);
}

/** Returns the settings in stream keys. Texts, tracks and cuts have their own. */
export function streamSettings(settings: StreamSettings): StreamSettings {
  const names = settingsWhere((row) => row.stream !== null) as (keyof StreamSettings)[];
  return pickSettings(settings, names);
}

const VISIBLE: ReadonlySet<StreamPart | null> = new Set(["drawing", "framing", "picture", "watermark"]);

export function previewSettingNames(): (keyof PreviewSettings)[] {
  const names = settingsWhere((row) => VISIBLE.has(row.stream));
  return names as (keyof PreviewSettings)[];
}

export function settingsOfPart<Part extends StreamPart>(
  settings: StreamSettings<Part>,
  part: Part,
): StreamSettings<Part> {
  return pickSettings(settings, namesOfPart(part));
}

export function hasDefaults<Part extends StreamPart>(settings: StreamSettings<Part>, part: Part): boolean {
  return Object.entries(settingsOfPart(settings, part)).every(([name, value]) =>
    isDefault(name as SettingName, value as never),
  );
}

function namesOfPart<Part extends StreamPart>(part: Part): (keyof StreamSettings<Part>)[] {
  return settingsWhere((row) => row.stream === part) as (keyof StreamSettings<Part>)[];
}
