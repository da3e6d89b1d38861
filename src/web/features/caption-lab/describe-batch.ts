import type { CaptionStage, VideoCaption } from "#contract/captions.ts";
import type { Slat } from "../../ui/states/strip.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";

/** Estimated share of the work, for the progress strip. */
const STAGE_SHARES: Record<CaptionStage, number> = { Fetching: 0.2, Watching: 0.4, Listening: 0.6, Writing: 0.8 };

const STAGE_WORDS: Record<CaptionStage, string> = {
  Fetching: "Fetching the video",
  Watching: "Analyzing scenes",
  Listening: "Transcribing speech",
  Writing: "Writing the caption",
};

export function hasEnded({ status }: VideoCaption): boolean {
  return status !== "Queued" && status !== "Processing";
}

export function describeRow({ status, stage }: VideoCaption): string {
  return status === "Processing" ? STAGE_WORDS[stage ?? "Fetching"] : "Waiting";
}

/** Returns SPEC's `currentProgress`. */
export function describeBatch(rows: readonly VideoCaption[]): string {
  if (rows.length === 0) return "";
  const ended = rows.filter(hasEnded).length;
  if (ended < rows.length) return `Analyzing video ${ended + 1}/${rows.length}...`;
  const written = rows.filter((row) => row.status === "Completed").length;
  return `${pluralize(written, "caption")} for ${pluralize(rows.length, "video")}`;
}

/** Returns one slat per video; cancelled videos count as failed. */
export function slatsOf(rows: readonly VideoCaption[]): Slat[] {
  return rows.map((row) => {
    if (row.status === "Completed") return "done";
    if (hasEnded(row)) return "failed";
    return row.status === "Processing" ? { running: STAGE_SHARES[row.stage ?? "Fetching"] } : "todo";
  });
}

/** Keeps completed local rows, which may have been edited. */
export function mergeRows(
  local: readonly VideoCaption[],
  fetched: readonly VideoCaption[] | undefined,
): VideoCaption[] {
  if (!fetched) return [...local];
  return fetched.map((row, i) => {
    const own = local[i];
    return own?.link === row.link && own.status === "Completed" ? own : row;
  });
}

/** Removes line breaks: sets and jobs take one caption per line. */
export function oneLine(caption: string): string {
  return caption.replaceAll(/\s*\n\s*/g, " ").trim();
}

/** Returns one line each, in video order, without failed videos. */
export function captionsOf(rows: readonly VideoCaption[]): string[] {
  return rows.map((row) => oneLine(row.caption ?? "")).filter((caption) => caption !== "");
}
