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

/** True when a list narrowed to this status and type would hold the job. Only the server knows what a search finds. */
export function matchesStatusAndType(job: Job, { status, type }: Pick<HistoryFilter, "status" | "type">): boolean {
  if (status && job.status !== status) return false;
  if (type === "captions") return job.captions_enabled;
  return type !== "audio" || job.audio_enabled;
}

/** The filter as the call takes it. */
export function toListFilter({ search, status, type }: HistoryFilter) {
  return { ...(search && { search }), ...(status && { status }), ...(type && { type }) };
}
