import {
  JOB_SETTINGS,
  type JobRow,
  type JobSettings,
  type SettingName,
  type StreamSettings,
} from "#contract/job-settings/job-settings.ts";
import type { Setting } from "#contract/job-settings/setting-kinds.ts";
import {
  choiceLabel,
  type ChoiceName,
  JOB_DEFAULTS,
  roundSetting,
  SETTING_NAMES,
  settingOf,
  settingsWhere,
} from "#contract/job-settings/setting-values.ts";
import { readColor } from "#contract/colors.ts";
import { textOfItems } from "./sets/set-texts.ts";

/** Exceptions to camel case. Stored drafts contain these names. */
const OTHER_NAMES = {
  input_videos: "videoLinks",
  custom_captions: "captions",
  custom_audio_links: "audioLinks",
  variants_per_video: "variants",
  segment_duration: "segmentSeconds",
  segmentation_type: "segmentation",
} as const;

const OPAQUE_LENGTH = 7;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export type FieldName<Name extends SettingName = SettingName> = Name extends keyof typeof OTHER_NAMES
  ? (typeof OTHER_NAMES)[Name]
  : CamelCase<Name>;

/**
 * Numbers stay text until parsed; lists have one item per line; "" is no ID or number; "off" is no choice. Shapes
 * are JSON because the form library copies its values on every keystroke, which is slow for 10,000 rows.
 */
export type FieldValue<Name extends SettingName> = (typeof JOB_SETTINGS)[Name]["kind"] extends "flag" | "gain" | "share"
  ? JobSettings[Name]
  : (typeof JOB_SETTINGS)[Name]["kind"] extends "choice"
    ? `${NonNullable<JobSettings[Name] & (string | number)>}` | (null extends JobSettings[Name] ? "off" : never)
    : string;

export type SettingFields = { [Name in SettingName as FieldName<Name>]: FieldValue<Name> };

export function fieldOf<Name extends SettingName>(name: Name): FieldName<Name> {
  const other = (OTHER_NAMES as Partial<Record<SettingName, string>>)[name];
  return (other ?? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())) as FieldName<Name>;
}

/** Returns the labeled choices, "off" first. */
export function optionsOf<Name extends ChoiceName>(name: Name): { value: FieldValue<Name>; label: string }[] {
  const { choices, default: start } = JOB_SETTINGS[name];
  const options = [
    ...(start === null ? [["off", choiceLabel(settingOf(name), null)]] : []),
    ...Object.entries(choices),
  ];
  return options.map(([value, label]) => ({ value: value as FieldValue<Name>, label: label! }));
}

/** Maps null to "" or "off". */
export function toFields(settings: JobSettings): SettingFields {
  const fields = SETTING_NAMES.map((name) => [fieldOf(name), toField(settingOf(name), settings[name])]);
  return Object.fromEntries(fields) as SettingFields;
}

export function readFields<Name extends SettingName>(
  fields: SettingFields,
  names: readonly Name[],
): Pick<JobSettings, Name> {
  return Object.fromEntries(names.map((name) => [name, readField(name, fields)])) as Pick<JobSettings, Name>;
}

/** Never throws: an invalid number becomes `afterBlur` or the default. */
export function readField<Name extends SettingName>(name: Name, fields: SettingFields): JobSettings[Name] {
  return read(settingOf(name), (fields as Record<FieldName, unknown>)[fieldOf(name)]) as JobSettings[Name];
}

function toField(row: Setting, value: unknown): unknown {
  switch (row.kind) {
    case "flag":
    case "gain":
    case "share":
      return value;
    case "shape":
      return JSON.stringify(value) === JSON.stringify(row.default) ? "" : JSON.stringify(value);
    case "choice":
      return value === null ? "off" : `${value as string | number}`;
    case "ids":
    case "list":
    case "requiredList":
      return textOfItems(value as string[]);
    case "number":
    case "optionalNumber":
    case "color":
    case "text":
    case "link":
    case "requiredText":
    case "id":
      return value === null ? "" : `${value as string | number}`;
  }
}

function read(row: Setting, value: unknown): unknown {
  const text = String(value).trim();
  switch (row.kind) {
    case "flag":
    case "gain":
    case "share":
      return value;
    case "shape":
      return row.shape === "rows" ? readRows(text) : readJson(text, row.default);
    case "choice":
      if (value === "off") return null;
      return row.isNumeric ? Number(value) : value;
    case "number":
      return readNumber(row, value);
    case "optionalNumber":
      return readOptionalNumber(row, value);
    case "color":
      return readTypedColor(row, value) ?? row.default;
    case "ids":
    case "list":
    case "requiredList":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "text":
    case "link":
    case "requiredText":
    case "id":
      return text || row.default;
  }
}

/** Returns [] for invalid text. */
export function readRows(text: string): JobRow[] {
  const rows = readJson(text, []);
  return Array.isArray(rows) ? rows.filter(isRow) : [];
}

/** Returns the default for invalid text. */
export function readJson(text: string, start: unknown): unknown {
  if (text === "") return start;
  try {
    return JSON.parse(text);
  } catch {
    return start;
  }
}

function isRow(value: unknown): value is JobRow {
  return typeof value === "object" && value !== null && typeof (value as Partial<JobRow>).link === "string";
}

/** Returns `afterBlur` or the default for invalid or too small input. */
export function readNumber(row: Extract<Setting, { kind: "number" }>, value: unknown): number {
  const number = row.isWhole ? Math.floor(Number(value)) : Number(value);
  return String(value).trim() !== "" && Number.isFinite(number) && number >= row.least
    ? roundSetting(row, number)
    : (row.afterBlur ?? row.default);
}

/** Clamps to the limits; blank or invalid input is null. */
export function readOptionalNumber(row: Extract<Setting, { kind: "optionalNumber" }>, value: unknown): number | null {
  const number = Number(value);
  if (String(value).trim() === "" || !Number.isFinite(number)) return null;
  return Math.min(row.most, Math.max(row.least, number));
}

/** Returns null for invalid colors, and for opacity that the setting does not allow. */
export function readTypedColor(row: Extract<Setting, { kind: "color" }>, value: unknown): string | null {
  const color = readColor(String(value));
  return color !== null && (row.isTranslucent || color.length === OPAQUE_LENGTH) ? color : null;
}

export const CAPTION_TIMING = ["caption_start_seconds", "caption_end_seconds", "caption_fade"] as const;

export const CAPTION_LOOK = settingsWhere((row) => row.stream === "drawing") as (keyof StreamSettings<"drawing">)[];

export const EMPTY_FIELDS = toFields(JOB_DEFAULTS);
