/** The settings of a job as columns of REST. */
import type { Setting } from "#contract/setting-kinds.ts";
import { SETTING_NAMES, settingOf } from "#contract/setting-values.ts";

export type ColumnType = "uuid" | "text" | "integer" | "number" | "boolean" | "time" | "list" | "computed";

/** Each setting's type. Those without a column in the database can be selected, but not filtered or sorted by. */
export const SETTING_COLUMNS: Readonly<Record<string, ColumnType>> = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, typeOf(settingOf(name))]),
);

function typeOf(row: Setting): ColumnType {
  if (row.stored === "json") return "computed";
  switch (row.kind) {
    case "flag":
      return "boolean";
    case "number":
      return row.isWhole ? "integer" : "number";
    case "gain":
      return "number";
    case "list":
    case "requiredList":
      return "list";
    case "id":
      return "uuid";
    case "choice":
    case "text":
    case "requiredText":
      return "text";
  }
}
