import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SystemAction } from "#contract/settings/system-action.ts";
import { loadClaiming, steerSystem, systemKeys } from "../../api/functions/settings/settings.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describeClaiming } from "./describe-claiming.ts";

const REFRESH_MS = 5_000;

/** Returns null while unknown. */
export function useIsQueuePaused(): boolean | null {
  const { data } = useQuery({
    queryKey: systemKeys.claiming,
    queryFn: ({ signal }) => loadClaiming(signal),
    retry: false,
  });
  return data?.isPaused ?? null;
}

/** Polls why no worker claims jobs; null while one does, or unknown. */
export function useClaimingNote(): { title: string; text: string; isPaused: boolean } | null {
  const { data } = useQuery({
    queryKey: systemKeys.claiming,
    queryFn: ({ signal }) => loadClaiming(signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  const note = data && describeClaiming(data);
  return note ? { ...note, isPaused: data.isPaused } : null;
}

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
