import type { JobRow } from "#contract/job-settings/job-settings.ts";

/** What the table's dialog opens with: nothing, a text, or the form's videos. */
export type TableStart =
  /** `problem`: why a file could not be read. */
  | { kind: "empty"; problem: string | null }
  /** `name` is a file's. */
  | { kind: "text"; text: string; name: string | null }
  | { kind: "rows"; rows: readonly JobRow[] };
