import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { MediaFile, RenderRequest, TimelinePart } from "./render-plan.ts";

/**
 * Puts an intro and an end card around the video. Both are shown in full, without captions and watermarks. `partsOf`
 * takes the video's window.
 */
export function putAround(
  video: MediaFile,
  { intro, outro }: { intro: MediaFile | null; outro: MediaFile | null },
): Pick<RenderRequest, "sources"> & { partsOf: (window: Window | null) => TimelinePart[] } {
  const around = [intro, outro].filter((file) => file !== null);
  const bare = (file: MediaFile | null): TimelinePart[] =>
    file === null ? [] : [{ source: 1 + around.indexOf(file), window: null, isBare: true }];
  return {
    sources: [video, ...around],
    partsOf: (window) => [...bare(intro), { source: 0, window }, ...bare(outro)],
  };
}
