import type { JobRow, JobSettings } from "../../job-settings/job-settings.ts";
import { captionsOf, settingsOfVideo, turnsOf, withSwitches } from "../video-settings.ts";
import { captionIndexOf } from "./assignment.ts";

/** Enough to see which captions rotate. */
export const PLANNED = { videos: 5, variants: 5, characters: 120 } as const;

export type PlannedCaptions = { row: number; captions: (string | null)[] };

/** Returns the first videos' captions by variant, shortened; null is none. `rows` have the contents of their sets. */
export function planCaptions(
  job: Pick<JobSettings, "captions_enabled" | "custom_captions" | "variants_per_video">,
  rows: readonly JobRow[],
): PlannedCaptions[] {
  return rows.slice(0, PLANNED.videos).map(({ settings: given }, position) => {
    const row = given ? withSwitches(given) : null;
    const settings = settingsOfVideo(job, row);
    const [captions, turns] = [captionsOf(settings), turnsOf(job, row, position)];
    const variants = Math.min(settings.variants_per_video, PLANNED.variants);
    return {
      row: position + 1,
      captions: Array.from({ length: variants }, (_, variant) => {
        const index = captionIndexOf(turns.caption + variant, captions.length);
        return index === null ? null : shorten(captions[index]!);
      }),
    };
  });
}

function shorten(text: string): string {
  const letters = Array.from(text);
  return letters.length <= PLANNED.characters ? text : `${letters.slice(0, PLANNED.characters).join("")}…`;
}
