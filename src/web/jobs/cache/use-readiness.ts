import { useCallback, useEffect, useState } from "react";

/** Maximum wait for the live subscription before the first load. */
const MAX_WAIT_MS = 1_500;

/**
 * `isReady` becomes true with `setReady`, called when the live subscription is active, or after a timeout. Loading only
 * then misses no change and avoids a second load.
 */
export function useReadiness(): { isReady: boolean; setReady: () => void } {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const setReady = useCallback(() => setIsReady(true), []);
  return { isReady, setReady };
}
