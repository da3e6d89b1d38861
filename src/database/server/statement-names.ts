import { sha256Of } from "#ground/checksum.ts";

/** Statements with a list of values in their text are rarely repeated. */
const MIN_USES = 2;
/** Each takes memory per connection in the server. */
const MAX_NAMES = 100;
const MAX_COUNTED = 1_000;
/**
 * A named statement fails on open connections when a migration adds a column to its table: "cached plan must not change
 * result type". Functions keep their type.
 */
const READS_ALL_COLUMNS = /(?:\bselect|\breturning|\.|,)\s*\*(?! from \w+\()/i;

/** Names frequent statements, which each connection then plans once: most take longer to plan than to execute. */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_NAMES || READS_ALL_COLUMNS.test(text)) return known;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < MIN_USES) {
      // Lists of values produce many texts.
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
