import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SystemAction } from "#contract/settings/system-action.ts";
import { steerSystem, systemKeys } from "../../api/functions/settings/system.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";

/** Time for workers to apply an action and report it. */
const APPLIED_AFTER_MS = 400;

/** Refetches the system data; shows failures as toasts. */
export function useSteerSystem() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (action: SystemAction) => steerSystem(action),
    onSuccess: async (system) => {
      await client.cancelQueries({ queryKey: systemKeys.all });
      client.setQueryData(systemKeys.card, system);
      void client.invalidateQueries({ queryKey: systemKeys.claiming });
      setTimeout(() => void client.invalidateQueries({ queryKey: systemKeys.all }), APPLIED_AFTER_MS);
    },
    onError: (error) => {
      toast.show({ title: "Error", description: error.message, variant: "destructive" });
      void client.invalidateQueries({ queryKey: systemKeys.all });
    },
  });
}
