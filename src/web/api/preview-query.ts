import { keepPreviousData } from "@tanstack/react-query";
import type { PreviewRequest } from "#contract/calls.ts";
import { CallError } from "./functions/call-error.ts";
import { loadPreview } from "./functions/library.ts";

/** Short: images are large data URLs. */
const KEPT_MS = 60_000;

/** Options of a query, which must be disabled without a request. While it loads, the last preview stays. */
export function previewQuery(request: PreviewRequest | null) {
  return {
    queryKey: ["preview", request],
    queryFn: ({ signal }: { signal: AbortSignal }) => loadPreview(request!, signal),
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    // 409: another tab of this session requested a preview in between.
    retry: (failures: number, failure: Error) => failures < 3 && failure instanceof CallError && failure.status === 409,
  } as const;
}
