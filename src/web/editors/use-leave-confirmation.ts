import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";

/** Confirms before the form's buttons, Back or closing the tab discard unsaved text. */
export function useLeaveConfirmation(isChanged: boolean, onLeave: () => void) {
  const [isAsking, setIsAsking] = useState(false);
  const blocked = useBlocker({
    shouldBlockFn: () => true,
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
