import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";

/** Asks before unsaved text is lost by the form's buttons, Back, or closing the tab. */
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
