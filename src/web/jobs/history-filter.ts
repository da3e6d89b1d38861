import { JOB_STATUSES, type Job, type JobStatus } from "#contract/jobs.ts";

/** What the job history is narrowed to; null or "" is everything. */
export type HistoryFilter = { search: string; status: JobStatus | null; type: "captions" | "audio" | null };

/** The filter an address asks for (?search=…&status=…&type=…); what makes no sense is left out. */
export function readHistoryFilter(address: Readonly<Record<string, unknown>>): HistoryFilter {
  const { search, status, type } = address;
  return {
    // The router reads a search for 2026 as a number.
    search: typeof search === "string" || typeof search === "number" ? String(search).trim() : "",
    status: JOB_STATUSES.find((known) => known === status) ?? null,
    type: type === "captions" || type === "audio" ? type : null,
  };
}

export function isFiltering(filter: HistoryFilter): boolean {
  return filter.search !== "" || filter.status !== null || filter.type !== null;
}

/** True when the list under this filter would hold the job: the same rules as the server's. */
export function matchesFilter(job: Job, { search, status, type }: HistoryFilter): boolean {
  if (status && job.status !== status) return false;
  if (type === "captions" && !job.captions_enabled) return false;
  if (type === "audio" && !job.audio_enabled) return false;
  const wanted = search.toLowerCase();
  return job.job_name.toLowerCase().includes(wanted) || job.id.toLowerCase().includes(wanted);
}
