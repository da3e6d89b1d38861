/** Splits text into what readers count as characters. Pure. */
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the characters of a text as readers count them, with their accents, joiners and modifiers. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
