import { useState } from "react";
import { CallError } from "../api/functions/call-error.ts";
import { useExclusiveAction } from "../ui/use-exclusive-action.ts";

/** Makes one call at a time and keeps its failure. `noun`: for example, "connection". */
export function useSaving(noun: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();

  function save(act: () => Promise<void>): Promise<void> {
    return run(async () => {
      setFailure(null);
      try {
        await act();
      } catch (error) {
        setFailure(error instanceof CallError ? error.message : `Couldn't save the ${noun}`);
      }
    });
  }
  return { isBusy, failure, setFailure, save };
}

type Opened<Item> = {
  item: Item | null;
  isOpen: boolean;
  /** Form key: each opening gets a new form. */
  opening: number;
};

/**
 * Keeps a sheet's content during its closing animation. `opened` is null while closed; returns null until first opened.
 */
export function useOpened<Item>(opened: Item | "new" | null): Opened<Item> | null {
  const [last, setLast] = useState({ opened, isOpen: false, opening: 0 });
  if (opened !== null && !last.isOpen) setLast({ opened, isOpen: true, opening: last.opening + 1 });
  if (opened === null && last.isOpen) setLast({ ...last, isOpen: false });
  if (last.opened === null) return null;
  return { item: last.opened === "new" ? null : last.opened, isOpen: opened !== null, opening: last.opening };
}

type Versioned = { id: string; version: number };

/** Returns null without a change. */
export function explainChange(
  noun: string,
  opened: Versioned | null,
  list: readonly Versioned[] | undefined,
): string | null {
  if (opened === null || list === undefined) return null;
  const current = list.find(({ id }) => id === opened.id);
  if (!current) return `This ${noun} was removed elsewhere, so it can't be saved.`;
  return current.version === opened.version
    ? null
    : `This ${noun} was changed elsewhere. Reopen it, check its current values, then make your change again.`;
}
