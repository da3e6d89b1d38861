import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { useIsInterrupted } from "../../api/connection/interruptions.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";

const SHOW_AFTER_MS = 2_000;

export function ConnectionNotice() {
  const isInterrupted = useIsInterrupted();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isInterrupted) return undefined;
    const timer = setTimeout(setIsShown, SHOW_AFTER_MS, true);
    return () => {
      clearTimeout(timer);
      setIsShown(false);
    };
  }, [isInterrupted]);
  return (
    <output className="flex">
      {isShown && <StatusBadge tone="warning" icon={Unplug} label="Reconnecting..." isInline />}
    </output>
  );
}
