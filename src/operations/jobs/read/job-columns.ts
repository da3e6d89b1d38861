import type { SettingName } from "#contract/job-settings/job-settings.ts";
import type { Setting } from "#contract/job-settings/setting-kinds.ts";
import { SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";

/** `computed` columns can be selected, but not filtered or ordered by. */
export type ColumnType = "uuid" | "text" | "integer" | "number" | "boolean" | "time" | "list" | "computed";

const SETTING_COLUMNS = Object.fromEntries(SETTING_NAMES.map((name) => [name, typeOf(settingOf(name))])) as Record<
  SettingName,
  ColumnType
>;

export const JOB_COLUMNS = {
  id: "uuid",
  ...SETTING_COLUMNS,
  status: "text",
  queue_position: "computed",
  folder_link: "computed",
  download_url: "computed",
  manifest_url: "computed",
  error_message: "text",
  progress: "number",
  current_video: "integer",
  total_videos: "integer",
  seconds_left: "computed",
  failed_videos: "computed",
  waiting_videos: "computed",
  retry_count: "integer",
  max_retries: "integer",
  processing_started_at: "time",
  files_deleted_at: "time",
  files_kept_until: "computed",
  proof_state: "text",
  awaiting_approval: "computed",
  held_at: "time",
  updated_at: "time",
  created_at: "time",
} as const satisfies Record<string, ColumnType>;

function typeOf(row: Setting): ColumnType {
  if (row.stored !== "column") return "computed";
  switch (row.kind) {
    case "flag":
      return "boolean";
    case "number":
      return row.isWhole ? "integer" : "number";
    case "optionalNumber":
    case "gain":
    case "share":
      return "number";
    case "ids":
    case "list":
    case "requiredList":
    case "rows":
      return "list";
    case "id":
      return "uuid";
    case "choice":
      return row.isNumeric ? "integer" : "text";
    case "color":
    case "text":
    case "requiredText":
      return "text";
  }
}
