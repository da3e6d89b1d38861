import { secondsOfPieces } from "#contract/transcripts/pieces.ts";
import type { Transcript } from "#contract/transcripts/transcripts.ts";
import type { FilePart } from "../../../api/functions/transcripts.ts";
import { formatClipLength } from "../../../ui/text/length-and-size.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { type Changes, showsChange } from "../model/changes.ts";

/** The videos of a job whose files show a change, by their positions. `seconds` are those of the files, `encoded` those to encode again. */
export type AffectedJob = {
  jobId: string;
  positions: readonly number[];
  files: number;
  seconds: number;
  encoded: number;
};

export function affectedJobs(
  videos: Transcript["videos"],
  files: readonly FilePart[],
  changes: Changes,
  sourceSeconds: number,
): readonly AffectedJob[] {
  const shown = Map.groupBy(
    files.filter((file) => showsChange(changes, file)),
    ({ video_id: videoId }) => videoId,
  );
  const jobs = new Map<string, AffectedJob & { positions: number[] }>();
  for (const { job_id: jobId, video_id: videoId, position } of videos) {
    const own = shown.get(videoId);
    if (own === undefined) continue;
    const job = jobs.get(jobId) ?? { jobId, positions: [], files: 0, seconds: 0, encoded: 0 };
    job.positions.push(position);
    job.files += own.length;
    for (const { start_seconds: start, end_seconds: end } of own) {
      const from = start ?? 0;
      const seconds = (end ?? sourceSeconds) - from;
      job.seconds += seconds;
      job.encoded += secondsOfPieces(
        seconds,
        changes.spans.map((span) => later(span, -from)),
      );
    }
    jobs.set(jobId, job);
  }
  return [...jobs.values()];
}

function later({ startSeconds, endSeconds }: Changes["spans"][number], seconds: number): Changes["spans"][number] {
  return { startSeconds: startSeconds + seconds, endSeconds: endSeconds + seconds };
}

/** Says how much of the files a rerun encodes. */
export function describeEncoding(jobs: readonly AffectedJob[]): string {
  const sum = (of: (job: AffectedJob) => number) => formatClipLength(jobs.reduce((all, job) => all + of(job), 0));
  const [encoded, all] = [sum((job) => job.encoded), sum((job) => job.seconds)];
  return `A new job makes their videos again. About ${encoded} of ${all} is encoded again. The rest comes from the cache if it is still there.`;
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
