import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Setting } from "#contract/job-settings/setting-kinds.ts";
import { choiceLabel, isDefault, settingOf, settingsWhere } from "#contract/job-settings/setting-values.ts";
import { formatCount, pluralize } from "./row/pluralize.ts";

const OF_SLOTS: ReadonlySet<string> = new Set<keyof JobSettings>(["slots", "combine", "exclude"]);

/**
 * Describes JSON-stored settings without a text of their own (unlike slots, captions, samples and the watermark image).
 * Skips defaults.
 */
export function describeOtherSettings(
  valueOf: <Name extends keyof JobSettings>(name: Name) => JobSettings[Name],
  nameOf?: (link: string) => string,
): [label: string, value: string][] {
  return (
    settingsWhere((row) => row.stored === "json" && row.stream !== "watermark")
      .filter((name) => !/^(caption|proof)_/.test(name) && !OF_SLOTS.has(name) && !isDefault(name, valueOf(name)))
      // With several formats, it is their first.
      .filter((name) => name !== "format" || valueOf("formats").length === 0)
      .map((name) => [settingOf(name).label, describeValue(settingOf(name), valueOf(name), nameOf)])
  );
}

/** Returns "On", "High", "-14 LUFS", or a list's number of items. `nameOf` takes a chosen file's link. */
export function describeValue(
  row: Setting,
  value: JobSettings[keyof JobSettings],
  nameOf: (link: string) => string = () => "Chosen",
): string {
  if (row.kind === "flag") return value ? "On" : "Off";
  if (row.kind === "choice") return choiceLabel(row, value);
  if (row.kind === "id" && value !== null) return "Chosen";
  if (row.kind === "link" && typeof value === "string") return nameOf(value);
  if (row.kind === "share") return `${Math.round(Number(value) * 100)}%`;
  // The only IDs in a list are destinations.
  if (row.kind === "ids" && Array.isArray(value)) return pluralize(value.length, "destination");
  if (row.kind === "shape" && row.shape === "formats")
    return (value as JobSettings["formats"]).map(labelOfFormat).join(", ");
  if (row.kind === "list" && row.of === "language") return (value as JobSettings["languages"]).join(", ");
  if (Array.isArray(value)) return formatCount(value.length);
  if (value === null) return "Off";
  if (row.kind === "shape") return describeCombine(value as JobSettings["combine"]);
  if (row.unit === "×") return `${String(value)}×`;
  return row.unit ? `${String(value)} ${row.unit}` : String(value);
}

function labelOfFormat(format: JobSettings["format"]): string {
  return choiceLabel(settingOf("format"), format);
}

export function describeCombine(combine: JobSettings["combine"]): string {
  if (combine === "all") return "All";
  return combine === "each" ? "Each in turn" : formatCount(combine);
}
