import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import type { Preview, Steps } from "./use-preview.ts";

export function VideoPager({ preview, className }: { preview: Preview; className: string }) {
  const { videos, shown } = preview;
  // With several videos, keep the number even if this one cannot be shown.
  const isPlain = videos.count === 0 || (videos.count === 1 && shown !== null && !shown.isOnVideo);
  if (videos.count < 2 && !shown) return null;
  return <Pager noun="video" steps={videos} none={isPlain ? "Plain background" : undefined} className={className} />;
}

export function CaptionPager({ preview: { captions } }: { preview: Preview }) {
  return (
    <Pager noun="caption" steps={captions} none={captions.count === 0 ? "No captions" : undefined} className="w-full" />
  );
}

function Pager({
  noun,
  steps: { index, count, goTo },
  none,
  className,
}: {
  noun: "caption" | "video";
  steps: Steps;
  /** Replaces the number. */
  none?: string | undefined;
  className?: string;
}) {
  const name = noun === "caption" ? "Caption" : "Video";
  const step = (by: number) => goTo((index + by + count) % count);
  const isAlone = count < 2;
  return (
    <div
      className={classNames(
        "flex min-h-7 items-center justify-between text-12 text-ink-2 max-desk:min-h-11",
        className,
      )}
    >
      {!isAlone && <IconButton icon={ChevronLeft} label={`Previous ${noun}`} onClick={() => step(-1)} />}
      <span aria-live="polite" className="tnum flex-1 text-center">
        {none ?? `${name} ${(index + 1).toLocaleString("en")}${isAlone ? "" : ` of ${count.toLocaleString("en")}`}`}
      </span>
      {!isAlone && <IconButton icon={ChevronRight} label={`Next ${noun}`} onClick={() => step(1)} />}
    </div>
  );
}
