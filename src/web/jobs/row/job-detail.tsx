import type { ReactNode } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { cutText } from "./cut-text.ts";
import { Strip } from "../../ui/states/strip.tsx";
import { progressFigure, shownPercent, videoSlats } from "../status/job-progress.ts";

/**
 * Progress while running, a failure's reason or a completed job's errors (cut at `maxCharacters`); otherwise the
 * children.
 */
export function JobDetail({ job, maxCharacters, children }: { job: Job; maxCharacters: number; children: ReactNode }) {
  if (job.status === "Processing") return <JobProgressStrip job={job} />;
  if (job.status === "Failed" && job.error_message)
    return <ErrorBox text={cutText(job.error_message, maxCharacters)} />;
  if (job.status === "Completed" && job.error_message) {
    // The text starts with the number of failures; the job's page has the reasons.
    return <WarningNote text={cutText(job.error_message, maxCharacters)} maxLines={2} />;
  }
  return <p className="tnum text-12 text-ink-3">{children}</p>;
}

/** Returns false if only the children are shown, which phones hide. */
export function hasProminentDetail({ status, error_message: message }: Job): boolean {
  return status === "Processing" || ((status === "Failed" || status === "Completed") && Boolean(message));
}

function JobProgressStrip({ job }: { job: Job }) {
  return (
    <Strip label="Progress" fraction={shownPercent(job) / 100} figure={progressFigure(job)} slats={videoSlats(job)} />
  );
}
