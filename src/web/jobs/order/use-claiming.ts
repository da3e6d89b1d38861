import { useQuery } from "@tanstack/react-query";
import { loadClaiming, systemKeys } from "../../api/functions/settings/system.ts";
import { describeClaiming } from "./describe-claiming.ts";

const REFRESH_MS = 5_000;

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
