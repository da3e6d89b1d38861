import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { useIsInterrupted } from "../../api/connection/interruptions.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";

/** A connection that is back by then was not worth a word. */
const PATIENCE_MS = 2_000;

/** Says so while live changes cannot arrive, so that nobody takes what is on screen for the present. */
export function ConnectionNotice() {
  const isInterrupted = useIsInterrupted();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isInterrupted) return undefined;
    const timer = setTimeout(setIsLong, PATIENCE_MS, true);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isInterrupted]);
  return (
    <output className="flex">
      {isLong && <StatusBadge tone="warning" icon={Unplug} label="Reconnecting..." isInline />}
    </output>
  );
}
