import { useEffect, useEffectEvent, useRef } from "react";
import type { PendingState } from "../use-cloak-data.ts";

const DELAY_MS = 2000;

/**
 * Publishes silently two seconds after the last change, or when the screen is left earlier. Tries each state once, so
 * that failures do not repeat forever.
 */
export function useAutoPublish({
  isOn,
  isBusy,
  pending,
  onPublish,
}: {
  isOn: boolean;
  isBusy: boolean;
  /** Same object for the same pending changes. */
  pending: PendingState | undefined;
  onPublish: () => void;
}): void {
  const tried = useRef<PendingState | null>(null);
  const waiting = useRef<PendingState | null>(null);
  const publish = useEffectEvent(() => {
    tried.current = waiting.current;
    waiting.current = null;
    onPublish();
  });

  useEffect(() => {
    waiting.current = null;
    if (!isOn) tried.current = null;
    if (!isOn || isBusy || !pending || pending.count === 0 || pending === tried.current) return undefined;
    waiting.current = pending;
    const timer = setTimeout(() => publish(), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOn, isBusy, pending]);

  useEffect(
    () => () => {
      if (waiting.current) publish();
    },
    [],
  );
}
