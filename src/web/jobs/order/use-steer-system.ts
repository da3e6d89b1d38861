import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SystemAction } from "#contract/settings/system-action.ts";
import { steerSystem, systemKeys } from "../../api/functions/system.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";

/** A worker obeys within a moment; then it says so. */
const OBEYED_MS = 400;

/** Tells a worker or the queue what to do, and has all that is shown of them read again. A failure is a toast. */
export function useSteerSystem() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (action: SystemAction) => steerSystem(action),
    onSuccess: async (system) => {
      await client.cancelQueries({ queryKey: systemKeys.all });
      client.setQueryData(systemKeys.card, system);
      void client.invalidateQueries({ queryKey: systemKeys.claiming });
      setTimeout(() => void client.invalidateQueries({ queryKey: systemKeys.all }), OBEYED_MS);
    },
    onError: (error) => {
      toast.show({ title: "Error", description: error.message, variant: "destructive" });
      void client.invalidateQueries({ queryKey: systemKeys.all });
    },
  });
}
