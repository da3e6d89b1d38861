import { useCallback, useMemo, useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";

const NOTHING: ReadonlySet<string> = new Set();

export type LibraryChoice = ReturnType<typeof useLibraryChoice>;

/** Files in `links` are already in the field and stay selected. `toggle` is stable, so that rows do not rerender. */
export function useLibraryChoice(files: readonly LibraryFile[] | undefined, links: readonly string[]) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(NOTHING);
  const query = words.trim().toLowerCase();
  const shown = useMemo(() => (files ?? []).filter(({ name }) => name.toLowerCase().includes(query)), [files, query]);
  const held = useMemo(() => new Set(links), [links]);
  const isHeld = ({ link }: LibraryFile) => held.has(link);
  const toggle = useCallback((id: string): void => {
    setChosen((was) => {
      const next = new Set(was);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const free = shown.filter((file) => !isHeld(file));
  const chosenOfShown = free.filter(({ id }) => chosen.has(id)).length;
  const areAllChosen = chosenOfShown === free.length;

  return {
    files,
    shown,
    words,
    setWords,
    /** Includes files hidden by the search. */
    added: (files ?? []).filter((file) => chosen.has(file.id) && !isHeld(file)),
    isHeld,
    isChosen: ({ id }: LibraryFile) => chosen.has(id),
    /** Among the files shown and not in the field. */
    areAllChosen,
    areSomeChosen: chosenOfShown > 0,
    isEmpty: free.length === 0,
    toggle,
    toggleAll: (): void => {
      const next = new Set(chosen);
      for (const { id } of free) {
        if (areAllChosen) next.delete(id);
        else next.add(id);
      }
      setChosen(next);
    },
    clear: (): void => {
      setWords("");
      setChosen(NOTHING);
    },
  };
}
