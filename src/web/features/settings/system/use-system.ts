import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { loadSystem, systemKeys } from "../../../api/functions/settings/system.ts";

const REFRESH_MS = 2_000;

/** Polls every two seconds while the card is visible. */
export function useSystem(card: RefObject<Element | null>) {
  const isOnScreen = useIsOnScreen(card);
  return useQuery({
    queryKey: systemKeys.card,
    queryFn: ({ signal }) => loadSystem(signal),
    refetchInterval: isOnScreen && REFRESH_MS,
    retry: false,
  });
}

function useIsOnScreen(element: RefObject<Element | null>): boolean {
  const [isOnScreen, setIsOnScreen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setIsOnScreen(entries.at(-1)!.isIntersecting));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
