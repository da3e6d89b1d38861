import { useEffect, useEffectEvent } from "react";

/** Calls `onMidnight` shortly after each local midnight while mounted. */
export function useAtMidnight(onMidnight: () => void): void {
  const handleMidnight = useEffectEvent(onMidnight);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    function wait() {
      timer = setTimeout(() => {
        handleMidnight();
        wait();
      }, nextMidnight().getTime() - Date.now());
    }
    wait();
    return () => clearTimeout(timer);
  }, []);
}

function nextMidnight(): Date {
  const midnight = new Date();
  midnight.setHours(24, 0, 0, 0);
  return midnight;
}
