import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import { checkCaptions } from "../../api/functions/captions.ts";
import { useSettled } from "../../ui/use-settled.ts";

const NOTHING: CheckCaptionsResponse = { problem: null, warnings: [] };
/** The fonts of an installation do not change while it runs. */
const FRESH_MS = 10 * 60_000;
/** The captions are part of the key. */
const KEPT_MS = 60_000;

/**
 * Returns what a job with these captions would be refused or warned for, once typing has paused; nothing while that is unknown: the
 * server checks again when the job starts.
 */
export function useCaptionCheck(request: CheckCaptionsRequest): CheckCaptionsResponse {
  const hasText = request.captions.length > 0 || Boolean(request.watermark_text);
  const wanted = useSettled(hasText ? request : null);
  const { data } = useQuery({
    queryKey: ["check-captions", wanted],
    queryFn: ({ signal }) => checkCaptions(wanted!, signal),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return hasText && wanted !== null && data ? data : NOTHING;
}
