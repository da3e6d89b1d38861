import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
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
  if (job.error_message && (job.status === "Failed" || job.status === "Completed")) {
    // The text starts with the number of failures; the job's page has the reasons.
    const text = cutText(job.error_message, maxCharacters);
    const Note = job.status === "Failed" ? ErrorBox : WarningNote;
    return (
      // Above the row's link, for its tooltip.
      <Link
        to={paths.job}
        params={{ jobId: job.id }}
        tabIndex={-1}
        className="relative z-1 max-desk:pointer-events-none desk:block"
      >
        <Note text={text} maxLines={2} />
      </Link>
    );
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
