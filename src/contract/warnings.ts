/** What is delivered although something about it is worse than asked for. */

/** One thing to look at: a stable code for programs, and a sentence for people. */
export type Warning = { code: WarningCode; message: string };

/**
 * - letters_missing: characters of a caption or watermark that no font has.
 */
type WarningCode = "letters_missing";

/** More are counted, not listed. */
const MOST_LISTED = 12;

/** Returns the warning that a caption or watermark is drawn without some characters, or null if there are none. */
export function lettersMissing(what: "caption" | "watermark", characters: readonly string[]): Warning | null {
  if (characters.length === 0) return null;
  const message = `The ${what} is drawn without ${listCharacters(characters)}: no font has ${characters.length === 1 ? "it" : "them"}.`;
  return { code: "letters_missing", message };
}

function listCharacters(characters: readonly string[]): string {
  const rest = characters.length - MOST_LISTED;
  const listed = characters.slice(0, MOST_LISTED).join(" ");
  return rest > 0 ? `${listed} and ${rest} more characters` : listed;
}
