import { useState } from "react";
import { CallError } from "../api/functions/call-error.ts";
import { useExclusiveAction } from "../ui/use-exclusive-action.ts";

/** Makes one call at a time and keeps its failure. `noun`: for example, "connection". */
export function useSaving(noun: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();

  function save(act: () => Promise<void>): Promise<void> {
    return run(async () => {
      setFailure(null);
      try {
        await act();
      } catch (error) {
        setFailure(error instanceof CallError ? error.message : `Couldn't save the ${noun}`);
      }
    });
  }
  return { isBusy, failure, setFailure, save };
}
