/** `npm test` runs a few clips per mechanism, `npm run test:media` all. */

export const isFullRun = process.env["MEDIA_RESULTS"] !== undefined;

type Row = string | { name: string } | readonly [name: string, ...rest: unknown[]];

/** Returns all rows in a full run. Throws if a name is missing. */
export function sampleOf<Each extends Row>(rows: readonly Each[], names: readonly string[]): Each[] {
  const present = new Set(rows.map(nameOf));
  const missing = names.filter((name) => !present.has(name));
  if (missing.length > 0) throw new Error(`The sample names missing rows: ${missing.join(", ")}`);
  return rows.filter((row) => isFullRun || names.includes(nameOf(row)));
}

function nameOf(row: Row): string {
  if (typeof row === "string") return row;
  return "name" in row ? row.name : row[0];
}
