import type { LibraryFile, LibraryKind } from "#contract/calls.ts";

export const SORTS = ["newest", "name", "length", "size"] as const;
export type LibrarySort = (typeof SORTS)[number];

export type LibraryView = { search: string; kind: LibraryKind | null; sort: LibrarySort };

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

const COMPARE: Record<LibrarySort, (a: LibraryFile, b: LibraryFile) => number> = {
  newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
  name: () => 0,
  length: (a, b) => b.durationSeconds - a.durationSeconds,
  size: (a, b) => b.sizeBytes - a.sizeBytes,
};

/** Matches every search word to the name or a tag. Sorts newest, longest or largest first. */
export function shownFiles(files: readonly LibraryFile[], { search, kind, sort }: LibraryView): LibraryFile[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const compare = COMPARE[sort];
  return files
    .filter((file) => kind === null || file.kind === kind)
    .filter((file) => {
      const texts = [file.name, ...file.tags].map((text) => text.toLowerCase());
      return words.every((word) => texts.some((text) => text.includes(word)));
    })
    .toSorted((a, b) => compare(a, b) || names.compare(a.name, b.name));
}

/** Sorts the most used first. */
export function allTags(files: readonly Pick<LibraryFile, "tags">[]): string[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const tag of files.flatMap(({ tags }) => tags)) {
    const known = counts.get(tag.toLowerCase());
    if (known) known.count += 1;
    else counts.set(tag.toLowerCase(), { tag, count: 1 });
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || names.compare(a.tag, b.tag))
    .map(({ tag }) => tag);
}
