const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits text into user-perceived characters (grapheme clusters). */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
