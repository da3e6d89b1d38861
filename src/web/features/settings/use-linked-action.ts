import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { SectionAction } from "../../app/routing/settings-sections.ts";

/** Acts when the address has the hash, then removes it, so that a reload does not act again. */
export function useLinkedAction(hash: SectionAction, onLinked: () => void): void {
  const isLinked = useLocation({ select: (location) => location.hash === hash });
  const navigate = useNavigate();
  const act = useEffectEvent(() => {
    onLinked();
    void navigate({ to: ".", replace: true, resetScroll: false });
  });
  useEffect(() => {
    if (isLinked) act();
  }, [isLinked]);
}
