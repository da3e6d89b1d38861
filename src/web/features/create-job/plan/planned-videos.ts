import type { Combination, Slot } from "#contract/jobs/assemblies/slots.ts";
import { type CountedPart, secondsOfPart } from "#contract/jobs/outputs/count-files.ts";
import { rememberLast } from "../draft/remember-last.ts";
import type { ReadForm } from "../draft/job-form.ts";

export type PlannedVideos = {
  /** Of assembled videos, their clips' places. */
  links: readonly string[];
  /** Empty, or one per link. */
  rows: ReadForm["rows"];
  /** Null if unknown. */
  durations: readonly (number | null)[];
  parts?: readonly (readonly CountedPart[])[];
};

/** Returns the videos that the job makes variants of. `durations` are those of the valid links. */
export function plannedVideos(read: ReadForm, durations: readonly (number | null)[]): PlannedVideos {
  const { videos, rows, slots, combinations, transitionSeconds, speed } = read;
  if (slots.length === 0) return { links: videos.valid, rows, durations };
  return assemble(slots, combinations, videos.valid, durations, rows, transitionSeconds, speed);
}

const assemble = rememberLast(
  (
    slots: readonly Slot[],
    combinations: readonly Combination[],
    links: readonly string[],
    durations: readonly (number | null)[],
    rows: ReadForm["rows"],
    transitionSeconds: number,
    jobSpeed: number,
  ): PlannedVideos => {
    const lengths = new Map(links.map((link, i) => [link, durations[i] ?? null]));
    const seconds = slots.map(({ clips }) =>
      clips.map(({ link, start_seconds = 0, end_seconds = null, speed = jobSpeed }) =>
        secondsOfPart(lengths.get(link) ?? null, { start_seconds, end_seconds }, speed),
      ),
    );
    const videos = combinations.map((clips) =>
      clips.map((clip, slot) => ({
        key: `${slot}.${clip}`,
        length: seconds[slot]![clip]!,
        ownCaptions: slots[slot]!.captions?.length ?? 0,
      })),
    );
    return {
      links: videos.map((clips) => clips.map(({ key }) => key).join(" ")),
      rows,
      durations: videos.map((clips) =>
        totalSeconds(
          clips.map(({ length }) => length),
          transitionSeconds,
        ),
      ),
      parts: videos.map((clips) => clips.map(({ length, ...part }) => ({ ...part, seconds: length ?? 0 }))),
    };
  },
);

/** Each transition takes up to half of either clip. */
function totalSeconds(lengths: readonly (number | null)[], transitionSeconds: number): number | null {
  let total = 0;
  for (const [i, length] of lengths.entries()) {
    if (length === null) return null;
    total += length - (i === 0 ? 0 : Math.min(transitionSeconds, length / 2, lengths[i - 1]! / 2));
  }
  return total;
}
