import { type DrawableText, makeDrawable } from "../fonts/drawable-text.ts";
import type { CaptionLook } from "./caption-look.ts";
import { readHighlights, type TextRange } from "./read-highlights.ts";

export function readCaption(text: string, look: CaptionLook): DrawableText & { highlights: TextRange[] } {
  const drawable = makeDrawable(text, look);
  return { ...drawable, ...(look.highlight ? readHighlights(drawable.text) : { highlights: [] }) };
}
