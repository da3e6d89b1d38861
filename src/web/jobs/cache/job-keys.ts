import type { HistoryFilter } from "./history-filter.ts";

export const jobKeys = {
  dashboard: ["dashboard"],
  histories: ["job-history"],
  history: (filter: HistoryFilter) => ["job-history", filter],
  /** Reruns started from the list on screen. */
  restarted: ["restarted-jobs"],
  job: (id: string) => ["job", id],
  videos: (jobId: string) => ["job-videos", jobId],
  outputs: (jobId: string) => ["job-outputs", jobId],
  /** Reviewable files, in job order. */
  review: (jobId: string) => ["job-review", jobId],
  links: (jobId: string) => ["job-links", jobId],
  events: (jobId: string) => ["job-events", jobId],
} as const;
