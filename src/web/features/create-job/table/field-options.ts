import { ROW_SETTING_NAMES } from "#contract/table/read-table.ts";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import type { TableField } from "#contract/table/table.ts";

type FieldOption = { value: TableField; label: string };

const OPTIONS: readonly FieldOption[] = [
  { value: "link", label: "Link" },
  { value: "name", label: "Name" },
  { value: "caption", label: "Caption" },
  { value: "track", label: "Track" },
  { value: "watermark", label: "Watermark (text or image)" },
  { value: "pass", label: "Pass through" },
  { value: "ignore", label: "Ignore" },
  ...ROW_SETTING_NAMES.map((name) => ({ value: name, label: settingOf(name).label })),
];

const WITH_UNNAMED: readonly FieldOption[] = [{ value: "unnamed", label: "No name" }, ...OPTIONS];

export function fieldOptions(field: TableField | undefined): readonly FieldOption[] {
  return field === "unnamed" ? WITH_UNNAMED : OPTIONS;
}
