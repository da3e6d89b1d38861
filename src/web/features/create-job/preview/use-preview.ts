import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PreviewRequest, PreviewResponse } from "#contract/calls.ts";
import { CallError } from "../../../api/call-error.ts";
import { loadPreview } from "../../../api/library.ts";
import { toPreviewRequest, type PreviewWish } from "./preview-wish.ts";

const SETTLED_MS = 500;
const LOOK_AGAIN_MS = 2_000;
/** A picture stays right for long: nothing but the video's own file could change it. */
const FRESH_MS = 10 * 60_000;
/** Pictures are large texts. */
const KEPT_MS = 60_000;

export type Preview = {
  /** The newest picture; while another one is drawn, still the one before. */
  shown: PreviewResponse | null;
  isLoading: boolean;
  /** Why there is no picture. */
  error: string | null;
  /** The request behind `shown`; null while there is nothing to see. */
  request: PreviewRequest | null;
  captionIndex: number;
  captionCount: number;
  setCaptionIndex: (index: number) => void;
  retry: () => void;
};

/** The preview of what the form holds, asked for once it has been left alone for half a second. */
export function usePreview(wish: PreviewWish): Preview {
  const [wantedIndex, setCaptionIndex] = useState(0);
  const captionCount = wish.captions.length;
  const captionIndex = Math.min(wantedIndex, Math.max(0, captionCount - 1));
  const request = useSettled(toPreviewRequest(wish, captionIndex));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["preview", request],
    queryFn: ({ signal }) => loadPreview(request!, signal),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    refetchInterval: (query) => (query.state.data?.isPending ? LOOK_AGAIN_MS : false),
    // Another tab of this session asked in between.
    retry: (failures, fault) => failures < 3 && fault instanceof CallError && fault.status === 409,
  });
  return {
    shown: request === null || error ? null : (data ?? null),
    isLoading: isFetching,
    error: error?.message ?? null,
    request,
    captionIndex,
    captionCount,
    setCaptionIndex,
    retry: () => void refetch(),
  };
}

/** The value once it has stayed the same for a while; the first one at once. */
function useSettled(value: PreviewRequest | null): PreviewRequest | null {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as PreviewRequest | null;
}
