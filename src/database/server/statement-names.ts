import { sha256Of } from "#ground/checksum.ts";

/** A statement whose text contains a list of values is rarely repeated. */
const MIN_USES = 2;
/** A named statement takes up memory in the server, for each connection. */
const MAX_NAMES = 100;
const MAX_COUNTED = 1_000;
/**
 * Once named, such a statement fails on open connections when a migration adds a column to the table: "cached plan must
 * not change result type". Functions keep their type.
 */
const READS_ALL_COLUMNS = /(?:\bselect|\breturning|\.|,)\s*\*(?! from \w+\()/i;

/**
 * Returns a function that names frequent statements, so that each connection plans them once: most of Clipmill's
 * statements take longer to plan than to execute. Returns undefined for others.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_NAMES || READS_ALL_COLUMNS.test(text)) return known;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < MIN_USES) {
      // Lists of values make many different texts.
      if (uses.size === MAX_COUNTED) uses.clear();
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    const name = sha256Of(text, "base64url");
    names.set(text, name);
    return name;
  };
}
