import { useRef, useState } from "react";

export type ExclusiveAction = { isBusy: boolean; run: (act: () => Promise<void>) => Promise<void> };

/** Ignores calls while one runs: a second click may precede the next render. */
export function useExclusiveAction(): ExclusiveAction {
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
