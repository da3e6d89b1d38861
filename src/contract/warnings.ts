/** What is delivered although something about it is worse than asked for. */

/** One thing to look at: a stable code for programs, and a sentence for people. */
export type Warning = { code: WarningCode; message: string };

/**
 * - letters_missing: characters of a caption or watermark that no font has.
 * - caption_cut: a caption of which only the beginning fits into the picture.
 */
type WarningCode = "letters_missing" | "caption_cut";

/** More are counted, not listed. */
const MOST_LISTED = 12;

/** Returns the warning that a caption or watermark is drawn without some characters, or null if there are none. */
export function lettersMissing(what: "caption" | "watermark", characters: readonly string[]): Warning | null {
  if (characters.length === 0) return null;
  const message = `The ${what} is drawn without ${listCharacters(characters)}: no font has ${characters.length === 1 ? "it" : "them"}.`;
  return { code: "letters_missing", message };
}

/** The same for a list of captions: `captions` of them miss characters, the first one at this index. */
export function captionsMissingLetters(missing: {
  characters: readonly string[];
  captions: number;
  first: number;
}): Warning {
  const { characters, captions, first } = missing;
  if (captions === 1) {
    const message = `Caption ${first + 1} will be drawn without ${listCharacters(characters)}: no font has ${characters.length === 1 ? "it" : "them"}.`;
    return { code: "letters_missing", message };
  }
  const message = `${captions.toLocaleString("en")} captions will be drawn without some characters that no font has: ${listCharacters(characters)}. The first is caption ${first + 1}.`;
  return { code: "letters_missing", message };
}

/** Returns the warning that only the first characters of a caption fit. */
export function captionCut({ characters, shown }: { characters: number; shown: number }): Warning {
  const message = `Only the first ${shown} of the caption's ${characters} characters fit into this video. Shorten the caption.`;
  return { code: "caption_cut", message };
}

function listCharacters(characters: readonly string[]): string {
  const rest = characters.length - MOST_LISTED;
  const listed = characters.slice(0, MOST_LISTED).join(" ");
  return rest > 0 ? `${listed} and ${rest} more characters` : listed;
}
