/** Text that brings commas along becomes one item per line (SPEC section 5, DESIGN section 5). */
import { splitLinks } from "#contract/links.ts";

/** A text with the place of its caret. */
export type Typed = { text: string; caret: number };

/** A links field after a change: commas become line ends. Null when there is no comma, so that nothing has to move. */
export function splitLinksField({ text, caret }: Typed): Typed | null {
  if (!text.includes(",")) return null;
  const lines = splitLinks(text).join("\n");
  // A comma typed at the end asks for the next line, which is empty as yet.
  const split = /,\s*$/.test(text) ? `${lines}\n` : lines;
  const behindCaret = splitLinks(text.slice(caret)).join("\n");
  return { text: split, caret: split.length - behindCaret.length };
}

/** What to put into a captions field for a pasted text; null when the text should arrive as it is. */
export function splitPastedCaptions(field: string, pasted: string): string | null {
  const line = pasted.trim();
  if (field.trim() !== "" || line.includes("\n") || !line.includes(",")) return null;
  return splitLinks(line).join("\n");
}
