import { useRef, type ReactNode } from "react";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { GrowingList } from "../../../ui/page/growing-list.tsx";
import { useSteadySlots } from "../../../ui/page/use-steady-slots.ts";

/** A video that leaves a filter does not move the one under the pointer. */
export function SteadyVideos({
  videos,
  children,
}: {
  videos: readonly JobVideo[];
  children: (video: JobVideo) => ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const { rows, holes } = useSteadySlots(list, videos);
  return (
    <div ref={list}>
      <GrowingList items={rows}>
        {(video) => (
          <div key={video.id} data-slot={video.id} className={holes.has(video.id) ? "invisible" : undefined}>
            {children(video)}
          </div>
        )}
      </GrowingList>
    </div>
  );
}
