import type { SavedSet } from "../../api/set-tables.ts";

const SHOWN_ITEMS = 2;

/** The sets whose name or items hold the words, in their order; all of them for no words. */
export function searchSets(sets: readonly SavedSet[], words: string): readonly SavedSet[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return sets;
  return sets.filter(({ name, items }) => holds(name, wanted) || items.some((item) => holds(item, wanted)));
}

/** The two items that a card shows: those that were searched for, then the first ones. */
export function previewItems(items: readonly string[], words: string): string[] {
  const wanted = words.trim().toLowerCase();
  const found: number[] = [];
  if (wanted !== "") {
    for (let index = 0; index < items.length && found.length < SHOWN_ITEMS; index += 1) {
      if (holds(items[index]!, wanted)) found.push(index);
    }
  }
  const first = Array.from(items.slice(0, SHOWN_ITEMS).keys());
  return [...new Set([...found, ...first])].slice(0, SHOWN_ITEMS).map((index) => items[index]!);
}

function holds(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted);
}
