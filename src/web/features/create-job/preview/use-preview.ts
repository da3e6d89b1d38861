import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PreviewRequest, PreviewResponse } from "#contract/calls.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { previewQuery } from "../../../api/preview-query.ts";
import { useSettled } from "../../../ui/use-settled.ts";
import { placeOf, type Shown } from "./follow-item.ts";
import { inputOfVideo, toPreviewRequest, type PreviewInput } from "./preview-input.ts";
import { isShownAt, scrubRange } from "./scrub-range.ts";

const POLL_MS = 2_000;
/** Previews stay valid unless the video's file changes. */
const FRESH_MS = 10 * 60_000;

/** `index` counts from 0. */
export type Steps = { index: number; count: number; goTo: (index: number) => void };

type Scrubber = { atSeconds: number; mostSeconds: number; isShown: boolean; goTo: (seconds: number) => void };

/** `videoNumber` counts from 1. */
type SettledRequest = { request: PreviewRequest | null; videoNumber: number };

export type Preview = {
  /** The newest image; while loading, the previous one. */
  shown: PreviewResponse | null;
  isLoading: boolean;
  isEmpty: boolean;
  error: string | null;
  captions: Steps;
  videos: Steps;
  /** Null unless captions are shown for part of the time. */
  scrubber: Scrubber | null;
  retry: () => void;
  /** The form's value; `shown` may lag behind. */
  captionY: number | null;
  /** `y`: the caption's middle, as a share of the height. */
  moveCaption: (y: number) => void;
  /** The form's. */
  layers: readonly Layer[];
  moveLayer: (place: number, point: { x: number; y: number }) => void;
} & SettledRequest;

/** Loads half a second after the last change, with the video's own settings. */
export function usePreview(form: PreviewInput, moves: Pick<Preview, "moveCaption" | "moveLayer">): Preview {
  const videos = useVideoSteps(form.videos);
  const input = inputOfVideo(form, videos.index);
  const captions = useSteps(input.captions.length);
  const scrubber = useScrubber(input);
  const selected = toPreviewRequest(input, { caption: captions.index, video: videos.index, scrubber });
  const { request, videoNumber } = useSettled<SettledRequest>({ request: selected, videoNumber: videos.index + 1 });
  const { data, error, isFetching, refetch } = useQuery({
    ...previewQuery(request),
    enabled: request !== null,
    staleTime: FRESH_MS,
    refetchInterval: (query) => (query.state.data?.isPending ? POLL_MS : false),
  });
  return {
    shown: request === null || error ? null : (data ?? null),
    isLoading: isFetching,
    // Makes room at once: a shift after a pause would move what is pressed.
    isEmpty: request === null && selected === null,
    error: error?.message ?? null,
    request,
    videoNumber,
    captions,
    videos,
    scrubber,
    retry: () => void refetch(),
    captionY: input.look.caption_y,
    layers: input.layers,
    ...moves,
  };
}

function useScrubber({ captions, timing }: PreviewInput): Scrubber | null {
  const [selected, goTo] = useState<number | null>(null);
  const range = captions.length > 0 ? scrubRange(timing) : null;
  if (!range) return null;
  const atSeconds = Math.min(selected ?? range.startsAtSeconds, range.mostSeconds);
  return { atSeconds, mostSeconds: range.mostSeconds, isShown: isShownAt(atSeconds, timing), goTo };
}

function useSteps(count: number): Steps {
  const [selected, goTo] = useState(0);
  return { index: Math.min(selected, Math.max(0, count - 1)), count, goTo };
}

function useVideoSteps(videos: readonly string[]): Steps {
  const [shown, show] = useState<Shown>({ index: 0, item: null });
  const goTo = (index: number) => show({ index, item: videos[index] ?? null });
  return { index: placeOf(videos, shown), count: videos.length, goTo };
}
