import { useEffect, useEffectEvent, useRef } from "react";
import type { PendingChange } from "#contract/cloak-calls.ts";

const DELAY_MS = 2000;

/**
 * Publishes silently two seconds after the last change, while it is switched on. What was tried once waits for the next
 * change, so that a failing publish is not repeated for ever. Who leaves the screen within the two seconds still publishes.
 */
export function useAutoPublish({
  isOn,
  isBusy,
  pending,
  onPublish,
}: {
  isOn: boolean;
  isBusy: boolean;
  /** The same object as long as the same changes are pending. */
  pending: readonly PendingChange[] | undefined;
  onPublish: () => void;
}): void {
  const tried = useRef<readonly PendingChange[] | null>(null);
  const waiting = useRef<readonly PendingChange[] | null>(null);
  const publish = useEffectEvent(() => {
    tried.current = waiting.current;
    waiting.current = null;
    onPublish();
  });

  useEffect(() => {
    waiting.current = null;
    if (!isOn) tried.current = null;
    if (!isOn || isBusy || !pending || pending.length === 0 || pending === tried.current) return undefined;
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
