const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits into the characters that readers count, with their accents, joiners and modifiers. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
