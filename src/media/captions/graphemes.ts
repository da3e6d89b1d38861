const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the characters that readers count, with their accents, joiners and modifiers. Pure. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
