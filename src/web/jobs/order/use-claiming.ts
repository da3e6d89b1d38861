import { useQuery } from "@tanstack/react-query";
import { loadClaiming, systemKeys } from "../../api/functions/system.ts";
import { describeClaiming } from "./describe-claiming.ts";

const REFRESH_MS = 5_000;

/** Why nobody takes the jobs that wait, read every few seconds; null while somebody does, or while that is not known. */
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
