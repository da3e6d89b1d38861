import type { RowSettings } from "../job-settings/job-settings.ts";
import { settingOf, settingsWhere } from "../job-settings/setting-values.ts";
import { MANIFEST_COLUMNS } from "../manifest/manifest.ts";
import type { TableField } from "./table.ts";

export const ROW_SETTING_NAMES = settingsWhere((row) => !row.isOfWholeJob) as (keyof RowSettings)[];

/** Common names; they precede the settings' labels. */
const FIELDS_BY_NAME: readonly (readonly [TableField, readonly string[]])[] = [
  ["link", ["link", "links", "url", "video", "video link", "video url", "source"]],
  ["name", ["name"]],
  ["caption", ["caption", "captions"]],
  ["track", ["track", "tracks", "music", "audio", "audio link"]],
  ["watermark", ["watermark"]],
  ["start_seconds", ["start"]],
  ["end_seconds", ["end"]],
  ["variants_per_video", ["variants"]],
];

const FIELDS: ReadonlyMap<string, TableField> = new Map<string, TableField>([
  ...ROW_SETTING_NAMES.map((name) => [keyOf(settingOf(name).label), name] as const),
  ...ROW_SETTING_NAMES.map((name) => [keyOf(name), name] as const),
  ...FIELDS_BY_NAME.flatMap(([field, names]) => names.map((name) => [keyOf(name), field] as const)),
]);

const OF_MANIFEST: ReadonlySet<string> = new Set(MANIFEST_COLUMNS);

/**
 * `chosen` has fields of columns with other names. Unknown columns are passed on, nameless ones are "unnamed", and a
 * manifest's columns about the file are ignored.
 */
export function mapColumns(
  columns: readonly string[],
  chosen: ReadonlyMap<string, TableField> = new Map(),
): TableField[] {
  const isOfManifest = isManifest(columns);
  return columns.map((column) => {
    const unknown = isOfManifest && OF_MANIFEST.has(column) ? "ignore" : "pass";
    // In a manifest, `source` links the video, `link` the file's route.
    if (isOfManifest && column === "link") return chosen.get(column) ?? "ignore";
    return chosen.get(column) ?? fieldNamed(column) ?? (isUnnamed(column) ? "unnamed" : unknown);
  });
}

export function isManifest(columns: readonly string[]): boolean {
  return columns.includes("output") && columns.includes("sha256");
}

/** Ignores case; treats spaces, hyphens and underscores alike. Returns null for other names. */
export function fieldNamed(name: string): TableField | null {
  const key = keyOf(name.replace(/ \(\d+\)$/, ""));
  return FIELDS.get(key) ?? NUMBERED.get(key.replace(/_?\d+$/, "")) ?? null;
}

/** Such as `caption_2`. */
const NUMBERED: ReadonlyMap<string, TableField> = new Map([
  ["caption", "caption"],
  ["track", "track"],
]);

function isUnnamed(column: string): boolean {
  return /^Column \d+$/.test(column);
}

function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}
