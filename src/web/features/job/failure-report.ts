/** For tickets; plain text. */
import type { FailureColumns } from "#contract/jobs/failures.ts";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

export type FailureSubject = {
  jobId: string;
  jobName: string;
  videoId: string;
  /** Counts from 0. */
  position: number;
  videoName: string | null;
};

export type FailedRow = FailureColumns &
  Pick<JobVideo, "updated_at"> &
  Partial<Pick<JobVideo, "attempts" | "started_at" | "ended_at">>;

/** Omits unknown values, and links, because a link may grant access. */
export function writeFailureReport(
  version: string,
  subject: FailureSubject,
  row: FailedRow,
  output: Pick<JobOutput, "id" | "name"> | null,
): string {
  const lines: [string, string | number | null | undefined][] = [
    ["Clipmill", version],
    ["Job", `${oneLine(subject.jobName)} (${subject.jobId})`],
    ["Video", `${subject.position + 1}${withName(subject.videoName)} (${subject.videoId})`],
    ["Output", output && `${oneLine(output.name)} (${output.id})`],
    ["Attempts", row.attempts],
    ["Started", row.started_at],
    ["Failed", row.ended_at ?? row.updated_at],
    ["Step", row.error_step],
    ["Code", row.error_code],
    ["Error", row.error_message],
  ];
  const known = lines.filter(([, value]) => value !== null && value !== undefined);
  const report = known.map(([name, value]) => `${name}: ${value}`);
  if (row.error_tail !== null) report.push("Last lines of output:", row.error_tail);
  return report.join("\n");
}

function withName(name: string | null): string {
  return name === null ? "" : `, ${oneLine(name)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
