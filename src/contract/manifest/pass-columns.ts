/** Names of the columns that rows pass on to manifest.csv. Pure. */
import { MANIFEST_COLUMNS } from "./manifest.ts";

const PREFIX = "row.";
const OWN = new Set<string>(MANIFEST_COLUMNS);

/**
 * Returns the name of a row's column in manifest.csv. The manifest's own names, and names that begin with `row.`, get
 * the prefix `row.`, so that `passedColumn` can restore every name.
 */
export function manifestColumn(column: string): string {
  const isOwn = OWN.has(column.trim().toLowerCase()) || column.startsWith(PREFIX);
  return isOwn ? PREFIX + column : column;
}

/** Returns the name of the row's column; null for the manifest's own columns. */
export function passedColumn(name: string): string | null {
  if (name.startsWith(PREFIX)) return name.slice(PREFIX.length);
  return OWN.has(name) ? null : name;
}
