/** Text that brings commas along becomes one item per line (SPEC section 5, DESIGN section 5). */
import { completeLink, splitLinks } from "#contract/sources/links.ts";

/** A text with the place of its caret. */
export type Typed = { text: string; caret: number };

/**
 * A links field after a change: commas become line ends, and links without https:// get it. Null when nothing has to
 * change, so that nothing has to move.
 */
export function tidyLinksField(typed: Typed): Typed | null {
  const split = splitLinksField(typed) ?? typed;
  const completed = completeLinksField(split);
  return completed.text === typed.text ? null : completed;
}

function splitLinksField({ text, caret }: Typed): Typed | null {
  if (!text.includes(",")) return null;
  const lines = splitLinks(text).join("\n");
  // A comma typed at the end asks for the next line, which is empty as yet.
  const split = /,\s*$/.test(text) ? `${lines}\n` : lines;
  const behindCaret = splitLinks(text.slice(caret)).join("\n");
  return { text: split, caret: split.length - behindCaret.length };
}

function completeLinksField({ text, caret }: Typed): Typed {
  const lines = text.split("\n");
  const completed = lines.map(completeLink);
  let [start, moved] = [0, caret];
  for (const [index, line] of lines.entries()) {
    // What is put before a line moves a caret that is in it or below it.
    if (start > caret) break;
    moved += completed[index]!.length - line.length;
    start += line.length + 1;
  }
  return { text: completed.join("\n"), caret: moved };
}

/** What to put into a captions field for a pasted text; null when the text should arrive as it is. */
export function splitPastedCaptions(field: string, pasted: string): string | null {
  const line = pasted.trim();
  if (field.trim() !== "" || line.includes("\n") || !line.includes(",")) return null;
  return splitAllCaptions(line);
}

/** All captions of a text split at commas, trimmed, without empties, one per line. */
export function splitAllCaptions(text: string): string {
  return splitLinks(text).join("\n");
}
