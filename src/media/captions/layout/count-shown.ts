import type { TextLayout } from "./lay-out-caption.ts";
import { splitGraphemes } from "../graphemes.ts";

/** Counts the graphemes of a text and of the part that a cut layout shows. */
export function countShown(text: string, { lines }: TextLayout): { characters: number; shown: number } {
  const all = splitGraphemes(text);
  const drawn = lines.map((line) => line.text.replace(/[-…]$/u, "")).join("");
  let left = splitGraphemes(drawn).filter(isVisible).length;
  // Spaces at line ends are not drawn but count.
  const shown = all.findIndex((grapheme) => isVisible(grapheme) && left-- === 0);
  return { characters: all.length, shown: shown < 0 ? all.length : shown };
}

function isVisible(grapheme: string): boolean {
  return grapheme.trim() !== "" && grapheme !== "-";
}
