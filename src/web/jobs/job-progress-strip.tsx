import type { Job } from "#contract/jobs.ts";
import { Strip } from "../ui/strip.tsx";
import { progressFigure, shownPercent, videoSlats } from "./job-progress.ts";

/** A running job's progress, one slat for each video. */
export function JobProgressStrip({ job }: { job: Job }) {
  return (
    <Strip label="Progress" fraction={shownPercent(job) / 100} figure={progressFigure(job)} slats={videoSlats(job)} />
  );
}
