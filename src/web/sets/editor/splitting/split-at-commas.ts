/** Splits text at commas, one item per line (SPEC section 5, DESIGN section 5). */
import { splitCaptionsAtCommas, splitLinks } from "#contract/sources/links.ts";
import { completeLink, linksIn } from "#contract/sources/links-in-text.ts";

export type Typed = { text: string; caret: number };

/** Also separates several links, and adds a missing https://. Returns null if nothing changes. */
export function splitAtCommas(typed: Typed): Typed | null {
  const split = splitLinksField(typed) ?? typed;
  const completed = completeLinksField(split);
  return completed.text === typed.text ? null : completed;
}

function splitLinksField({ text, caret }: Typed): Typed | null {
  if (!text.includes(",")) return null;
  const lines = splitLinks(text).join("\n");
  // A comma typed at the end starts an empty next line.
  const split = /,\s*$/.test(text) ? `${lines}\n` : lines;
  const behindCaret = splitLinks(text.slice(caret)).join("\n");
  return { text: split, caret: split.length - behindCaret.length };
}

function completeLinksField({ text, caret }: Typed): Typed {
  const lines = text.split("\n");
  const completed = lines.map(tidyLine);
  let [start, moved] = [0, caret];
  for (const [index, line] of lines.entries()) {
    // Additions move a caret in or below their line.
    if (start > caret) break;
    moved += completed[index]!.length - line.length;
    start += line.length + 1;
  }
  return { text: completed.join("\n"), caret: moved };
}

/** A single link keeps its surroundings: rewriting it would disturb typing. */
function tidyLine(line: string): string {
  const links = linksIn(line);
  return links.length > 1 ? links.join("\n") : completeLink(line);
}

/** Returns the field's text after the paste; null to paste the text unchanged. */
export function splitPastedCaptions(field: string, pasted: string): string | null {
  const line = pasted.trim();
  if (field.trim() !== "" || line.includes("\n") || !line.includes(",")) return null;
  return splitAllCaptions(line);
}

/** Trims captions and drops empty ones; one per line. */
export function splitAllCaptions(text: string): string {
  return splitCaptionsAtCommas(text).join("\n");
}
