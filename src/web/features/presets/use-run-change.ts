import { CallError } from "../../api/functions/call-error.ts";
import { usePresetLists } from "../../presets/use-presets.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";

/** Runs one change at a time. On failure, shows a toast and reloads the lists, which may be stale. */
export function useRunChange(): { isBusy: boolean; runChange: (failure: string, act: () => Promise<void>) => void } {
  const toast = useToast();
  const { refetch } = usePresetLists();
  const { isBusy, run } = useExclusiveAction();

  async function attempt(failure: string, act: () => Promise<void>) {
    try {
      await act();
    } catch (error) {
      const description = error instanceof CallError ? error.message : failure;
      toast.show({ title: "Error", description, variant: "destructive" });
      void refetch();
    }
  }
  return { isBusy, runChange: (failure, act) => void run(() => attempt(failure, act)) };
}

export const PRESET_GONE = "This preset no longer exists.";

/** Throws CallError for a row deleted elsewhere. */
export function requireRow<Row>(row: Row | null, sentence: string): Row {
  if (row === null) throw new CallError(404, sentence);
  return row;
}
