import { Pager } from "./pager.tsx";
import type { Preview } from "./use-preview.ts";

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
