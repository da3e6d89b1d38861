import type { JobRow, RowSettings } from "#contract/job-settings/job-settings.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { ROW_SETTING_NAMES } from "#contract/table/read-table.ts";
import type { TableField } from "#contract/table/table.ts";
import type { Sheet } from "./sheet.ts";

type Column = { name: string; field: TableField; cell: (row: JobRow) => string };

const LISTS = { custom_captions: "caption", custom_audio_links: "track" } as const;

/** Reads back as the same rows. Always has a caption column. */
export function sheetOfRows(rows: readonly JobRow[]): Sheet {
  const written = rows.map((row) => ({ ...row, settings: withoutSwitches(row.settings ?? {}) }));
  const passed = [...new Set(written.flatMap(({ pass = {} }) => Object.keys(pass)))];
  const taken = new Set(passed);
  const columns: Column[] = [
    ...ownColumns(written).map(({ name, field, cell }) => ({ name: freeName(name, taken), field, cell })),
    ...passed.map((name): Column => ({
      name,
      field: "pass",
      cell: ({ pass = {} }) => (Object.hasOwn(pass, name) ? pass[name]! : ""),
    })),
  ];
  return {
    columns: columns.map(({ name }) => name),
    fields: columns.map(({ field }) => field),
    rows: written.map((row) => columns.map(({ cell }) => cell(row))),
  };
}

function ownColumns(rows: readonly (JobRow & { settings: RowSettings })[]): Column[] {
  const used = new Set(rows.flatMap(({ settings }) => Object.keys(settings)));
  const lists = (Object.keys(LISTS) as (keyof typeof LISTS)[]).flatMap((list) => {
    const most = rows.reduce((count, { settings }) => Math.max(count, settings[list]?.length ?? 0), 0);
    return Array.from({ length: list === "custom_captions" ? Math.max(1, most) : most }, (_, item): Column => ({
      name: item === 0 ? LISTS[list] : `${LISTS[list]}_${item + 1}`,
      field: LISTS[list],
      cell: ({ settings }) => settings?.[list]?.[item] ?? "",
    }));
  });
  const settings = ROW_SETTING_NAMES.filter((name) => used.has(name) && !(name in LISTS));
  return [
    { name: "link", field: "link", cell: ({ link }) => link },
    ...(rows.some(({ name }) => name) ? [{ name: "name", field: "name", cell: nameOf } as const] : []),
    ...lists,
    ...settings.map((name): Column => ({ name, field: name, cell: (row) => textOf(row.settings?.[name]) })),
  ];
}

function nameOf({ name }: JobRow): string {
  return name ?? "";
}

/** Drops switches implied by the other settings. */
function withoutSwitches(settings: RowSettings): RowSettings {
  const { captions_enabled: _captions, subtitles_enabled: _subtitles, ...others } = settings;
  const { audio_enabled: _music, watermark_enabled: _watermark, ...rest } = others;
  // A cell cannot express an empty list; its switch does.
  const told = Object.entries(rest).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const implied: RowSettings = withSwitches(Object.fromEntries(told));
  const kept = Object.entries(settings).filter(
    ([name, value]) => name in rest || implied[name as "captions_enabled"] !== value,
  );
  return Object.fromEntries(kept);
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "off";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join("\n") : `${value as string | number}`;
}

/** Passed-through columns keep their names. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  taken.add(free);
  return free;
}
