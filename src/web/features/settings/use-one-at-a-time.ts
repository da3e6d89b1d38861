import { useRef, useState } from "react";

/** Does something that takes a while, and ignores what is asked for meanwhile: a second click comes before the first is rendered. */
export function useOneAtATime(): { isBusy: boolean; run: (act: () => Promise<void>) => Promise<void> } {
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);

  async function run(act: () => Promise<void>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    try {
      await act();
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }
  return { isBusy, run };
}
