import { Pager } from "./pager.tsx";
import type { Preview } from "./use-preview.ts";

/** Steps through the videos; without one it says what the captions stand on. */
export function VideoPager({ preview, className }: { preview: Preview; className: string }) {
  const { videos, shown } = preview;
  // A video that cannot be shown is named all the same when there are others to step to.
  const isPlain = videos.count === 0 || (videos.count === 1 && shown !== null && !shown.isOnVideo);
  if (videos.count < 2 && !shown) return null;
  return <Pager noun="video" steps={videos} none={isPlain ? "Plain background" : undefined} className={className} />;
}

export function CaptionPager({ preview: { captions } }: { preview: Preview }) {
  return (
    <Pager noun="caption" steps={captions} none={captions.count === 0 ? "No captions" : undefined} className="w-full" />
  );
}
