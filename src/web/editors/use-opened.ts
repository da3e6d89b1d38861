import { useState } from "react";

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
