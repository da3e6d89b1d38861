import { clipName, partField, slotCaption } from "#contract/jobs/assemblies/slots.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { ClaimedVideo } from "./claim-video.ts";

/** What a video consists of: itself, or a clip of each slot. */
export type Clip = {
  link: string;
  /** Such as `Hook 3`; null for a video that is not assembled. */
  name: string | null;
  /** Of name patterns, such as `part.hook`. */
  field: string | null;
  /** On its own clock. */
  window: Window | null;
  speed: number;
  /** A link to its subtitle file. */
  subtitles: string | null;
  /** Own captions, by variant. */
  captionOf: (variant: number) => string | null;
};

/** In a row; at least one. */
export function clipsOf({
  job,
  video,
}: Pick<ClaimedVideo, "job"> & { video: Pick<ClaimedVideo["video"], "link" | "clips"> }): Clip[] {
  if (video.clips === null) {
    const { subtitles, speed } = job;
    return [{ link: video.link, name: null, field: null, window: null, speed, subtitles, captionOf: () => null }];
  }
  return video.clips.map((place, i): Clip => {
    const slot = job.slots[i]!;
    const { link, start_seconds: startSeconds = 0, end_seconds: endSeconds = null, ...clip } = slot.clips[place]!;
    const isWhole = startSeconds === 0 && endSeconds === null;
    return {
      link,
      name: clipName(slot, place),
      field: partField(slot.name),
      window: isWhole ? null : { startSeconds, endSeconds: endSeconds ?? Infinity },
      speed: clip.speed ?? job.speed,
      subtitles: clip.subtitles ?? null,
      captionOf: (variant) => slotCaption(slot, place, variant),
    };
  });
}
