import { useCallback, useState } from "react";

/** What a sheet or dialog is open for. `last` stays after it closed, so that it can close with a movement. */
export function useOpening<What>() {
  const [last, setLast] = useState<{ what: What; opening: number } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback((what: What) => {
    setLast((before) => ({ what, opening: (before?.opening ?? 0) + 1 }));
    setIsOpen(true);
  }, []);
  const close = useCallback(() => setIsOpen(false), []);
  return { last, isOpen, open, close };
}
