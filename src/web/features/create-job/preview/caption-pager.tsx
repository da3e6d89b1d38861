import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { Preview } from "./use-preview.ts";

/** Which caption the preview shows, and the way to the others. Keeps its place while there is none. */
export function CaptionPager({ preview: { captionIndex, captionCount, setCaptionIndex } }: { preview: Preview }) {
  const goTo = (index: number) => setCaptionIndex((index + captionCount) % captionCount);
  const isAlone = captionCount < 2;
  return (
    <div className="flex min-h-7 w-full items-center justify-between text-12 text-ink-2 max-desk:min-h-10">
      {!isAlone && <IconButton icon={ChevronLeft} label="Previous caption" onClick={() => goTo(captionIndex - 1)} />}
      <span aria-live="polite" className="tnum flex-1 text-center">
        {captionCount === 0
          ? "No captions"
          : `Caption ${(captionIndex + 1).toLocaleString("en")} of ${captionCount.toLocaleString("en")}`}
      </span>
      {!isAlone && <IconButton icon={ChevronRight} label="Next caption" onClick={() => goTo(captionIndex + 1)} />}
    </div>
  );
}
