import { Suspense } from "react";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import type { VideoListProps } from "./video-list.tsx";

const VideoList = lazyPart(() => import("./video-list.tsx"));

/** Loads the list's code with the first video. */
export function LazyVideoList(props: VideoListProps) {
  if (props.videos.rows.length === 0) return null;
  return (
    <Suspense>
      <VideoList {...props} />
    </Suspense>
  );
}
