/** Splits text into graphemes, the characters that readers count. Pure. */
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the graphemes of a text, each with its accents, joiners and modifiers. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
