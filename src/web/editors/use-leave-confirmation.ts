import { useBlocker } from "@tanstack/react-router";
import { useInsertionEffect, useState } from "react";

let unsavedForms = 0;

/** Includes forms behind the sign-in form after a session ended. */
export function hasUnsavedForms(): boolean {
  return unsavedForms > 0;
}

/**
 * Confirms before the form's buttons, Back or closing the tab discard unsaved text. `isOfPath`: the form stays open while
 * only the search or the hash changes.
 */
export function useLeaveConfirmation(isChanged: boolean, onLeave: () => void, { isOfPath = false } = {}) {
  const [isAsking, setIsAsking] = useState(false);
  // Other effects are off while a form is hidden.
  useInsertionEffect(() => {
    if (!isChanged) return undefined;
    unsavedForms += 1;
    return () => void (unsavedForms -= 1);
  }, [isChanged]);
  const blocked = useBlocker({
    shouldBlockFn: ({ current, next }) => !isOfPath || current.pathname !== next.pathname,
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return {
    isAsking: isAsking || blocked.status === "blocked",
    ask: () => (isChanged ? setIsAsking(true) : onLeave()),
    stay: () => {
      setIsAsking(false);
      blocked.reset?.();
    },
    confirm: () => {
      setIsAsking(false);
      onLeave();
      blocked.proceed?.();
    },
  };
}
