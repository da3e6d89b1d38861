const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Readers count accents, joiners and modifiers with their character. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
