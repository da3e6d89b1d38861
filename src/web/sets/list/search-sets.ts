import type { SavedSet } from "../../api/set-tables.ts";

const SHOWN_ITEMS = 2;

/** Searches names and items; keeps the order. No words match all. */
export function searchSets(sets: readonly SavedSet[], words: string): readonly SavedSet[] {
  const query = words.trim().toLowerCase();
  if (query === "") return sets;
  return sets.filter(({ name, items }) => includesText(name, query) || items.some((item) => includesText(item, query)));
}

/** Returns two items: matches first, then the first items. */
export function previewItems(items: readonly string[], words: string): string[] {
  const query = words.trim().toLowerCase();
  const found: number[] = [];
  if (query !== "") {
    for (let index = 0; index < items.length && found.length < SHOWN_ITEMS; index += 1) {
      if (includesText(items[index]!, query)) found.push(index);
    }
  }
  const first = Array.from(items.slice(0, SHOWN_ITEMS).keys());
  return [...new Set([...found, ...first])].slice(0, SHOWN_ITEMS).map((index) => items[index]!);
}

function includesText(text: string, query: string): boolean {
  return text.toLowerCase().includes(query);
}
