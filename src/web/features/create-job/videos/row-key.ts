import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";

/** Returns the same text for rows with the same name, settings and passed columns; "" for none of these. */
export function rowKey({ name, settings, pass }: Partial<JobRow>): string {
  const parts = [name ?? "", entriesOf(withSwitches(settings ?? {})), entriesOf(pass ?? {})];
  return parts.some((part) => part.length > 0) ? JSON.stringify(parts) : "";
}

/** Columns can be in any order. */
function entriesOf(values: object): [string, unknown][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
