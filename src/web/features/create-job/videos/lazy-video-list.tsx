import { Suspense, useEffect } from "react";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import type { VideoListProps } from "./video-list.tsx";

const load = () => import("./video-list.tsx");
const VideoList = lazyPart(load);

/** Loads the list's code after the form. Otherwise, the list would appear late and shift fields as they are clicked. */
export function LazyVideoList(props: VideoListProps) {
  useEffect(() => {
    // After a failure, the first video reloads the page: see `lazyPart`.
    load().catch(() => undefined);
  }, []);
  if (props.videos.rows.length === 0) return null;
  return (
    <Suspense>
      <VideoList {...props} />
    </Suspense>
  );
}
