/** A saved set, the text area it fills, and what it is called in a sentence. Pure. */
import type { SavedSet } from "../../api/set-tables.ts";
import { cutText } from "../../jobs/cut-text.ts";

const MOST_NAME_CHARACTERS = 40;

/** "Monday hooks", in quotes; a long name is cut. */
export function quoteName(name: string): string {
  return `"${cutText(name, MOST_NAME_CHARACTERS)}"`;
}

/** The text of a field that a set is loaded into: an item on a line. */
export function textOfItems(items: readonly string[]): string {
  // What the browser makes of line ends in a text area, so that the text compares equal to what comes back from it.
  return items.join("\n").replaceAll(/\r\n?/g, "\n");
}

/** The set that is chosen, if it is still there and the text is still its text; else null. */
export function findChosenSet(sets: readonly SavedSet[], id: string, text: string): SavedSet | null {
  if (id === "") return null;
  const set = sets.find((candidate) => candidate.id === id);
  return set && textOfItems(set.items) === text ? set : null;
}
