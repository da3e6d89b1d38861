import type { Transcript } from "#contract/transcripts/transcripts.ts";
import type { FilePart } from "../../../api/functions/transcripts.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { type Changes, showsChange } from "../model/changes.ts";

/** The videos of a job whose files show a change, by their positions. */
export type AffectedJob = { jobId: string; positions: readonly number[]; files: number };

export function affectedJobs(
  videos: Transcript["videos"],
  files: readonly FilePart[],
  changes: Changes,
): readonly AffectedJob[] {
  const counts = new Map<string, number>();
  for (const file of files)
    if (showsChange(changes, file)) counts.set(file.video_id, (counts.get(file.video_id) ?? 0) + 1);
  const jobs = new Map<string, { jobId: string; positions: number[]; files: number }>();
  for (const { job_id: jobId, video_id: videoId, position } of videos) {
    const count = counts.get(videoId);
    if (count === undefined) continue;
    const job = jobs.get(jobId) ?? { jobId, positions: [], files: 0 };
    job.positions.push(position);
    job.files += count;
    jobs.set(jobId, job);
  }
  return [...jobs.values()];
}

export function describeChanges({ words, lines }: Changes): string {
  return words === 0 ? `${pluralize(lines, "line")} changed.` : `${pluralize(words, "word")} changed.`;
}

/** Null while the files are loading. */
export function describeFiles(jobs: readonly AffectedJob[] | null): string {
  if (jobs === null) return "Looking for files with the old text.";
  const files = jobs.reduce((sum, job) => sum + job.files, 0);
  if (files === 0) return "No finished file shows the old text.";
  const where = jobs.length === 1 ? "" : ` of ${pluralize(jobs.length, "job")}`;
  return `${pluralize(files, "file")}${where} ${files === 1 ? "shows" : "show"} the old text.`;
}
