import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { SubtitleMark } from "../captions/layout/lay-out-subtitle.ts";
import type { Cue } from "./break-into-cues.ts";

/** One drawing: its rows' words, and which of them stand out. */
export type ShownCue = {
  rows: string[][];
  mark: SubtitleMark | null;
  startSeconds: number;
  endSeconds: number;
};

/** Returns what is drawn for a cue, in order and never at the same time. */
export function showCue(cue: Cue, style: JobSettings["subtitle_style"]): ShownCue[] {
  const rows = cue.rows.map((row) => row.map(({ text }) => text));
  if (style === "line") return [{ rows, mark: null, startSeconds: cue.startSeconds, endSeconds: cue.endSeconds }];
  const words = cue.rows.flat();
  return words.flatMap((word, i): ShownCue[] => {
    const endSeconds = words[i + 1]?.startSeconds ?? cue.endSeconds;
    if (endSeconds <= word.startSeconds) return [];
    const times = { startSeconds: word.startSeconds, endSeconds };
    if (style === "word") return [{ rows: [[word.text.trimEnd()]], mark: null, ...times }];
    const mark: SubtitleMark =
      style === "box" ? { from: i, to: i + 1, as: "box" } : { from: 0, to: i + 1, as: "accent" };
    return [{ rows, mark, ...times }];
  });
}
