import { textOfItems } from "../sets/set-texts.ts";

/** Returns the caption above for a blank line. `items`: captions of the unchanged saved set, which may span lines. */
export function captionAtCaret(text: string, caret: number, items?: readonly string[]): number {
  if (items) return itemAt(items, caret);
  const lineEnd = text.indexOf("\n", caret);
  const lines = text.slice(0, lineEnd === -1 ? undefined : lineEnd).split("\n");
  return Math.max(0, lines.filter((line) => line.trim() !== "").length - 1);
}

function itemAt(items: readonly string[], caret: number): number {
  let end = -1;
  const index = items.findIndex((item) => {
    end += textOfItems([item]).length + 1;
    return caret <= end;
  });
  return index === -1 ? Math.max(0, items.length - 1) : index;
}
