import { MANIFEST_COLUMNS } from "./manifest.ts";

const PREFIX = "row.";
const OWN = new Set<string>(MANIFEST_COLUMNS);

/**
 * Adds the prefix `row.` to the manifest's own names and to names that have it, so that `passedColumn` can restore
 * every name.
 */
export function manifestColumn(column: string): string {
  const isOwn = OWN.has(column.trim().toLowerCase()) || column.startsWith(PREFIX);
  return isOwn ? PREFIX + column : column;
}

export function passedColumn(name: string): string | null {
  if (name.startsWith(PREFIX)) return name.slice(PREFIX.length);
  return OWN.has(name) ? null : name;
}
