import { Suspense, useEffect } from "react";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import type { VideoListProps } from "./video-list.tsx";

const load = () => import("./video-list.tsx");
const VideoList = lazyPart(load);

/** Loads the list's code after the form: the list would otherwise appear late and move what is about to be clicked. */
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
