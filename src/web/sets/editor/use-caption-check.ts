import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import { checkCaptions } from "../../api/functions/captions.ts";
import { useSettled } from "../../ui/use-settled.ts";

const NOTHING: CheckCaptionsResponse = { problem: null, warnings: [] };
/** Fonts do not change while an installation runs. */
const FRESH_MS = 10 * 60_000;
/** Short, because each key contains all captions. */
const KEPT_MS = 60_000;

/** Checks once typing pauses. Empty while unknown: the server checks again when the job starts. */
export function useCaptionCheck(request: CheckCaptionsRequest): CheckCaptionsResponse {
  const hasText = request.captions.length > 0 || Boolean(request.watermark_text);
  const settledRequest = useSettled(hasText ? request : null);
  const { data } = useQuery({
    queryKey: ["check-captions", settledRequest],
    queryFn: ({ signal }) => checkCaptions(settledRequest!, signal),
    enabled: settledRequest !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return hasText && settledRequest !== null && data ? data : NOTHING;
}
