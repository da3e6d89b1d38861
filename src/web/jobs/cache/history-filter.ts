import { JOB_TYPES, type JobFilter, MOST_SEARCH_CHARACTERS } from "#contract/jobs/job-filter.ts";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";

/** The filter of the job history; an empty search means none. */
export type HistoryFilter = JobFilter & { search: string };

/** Reads the filter from the address (?search=…&status=…&type=…). Drops invalid values. */
export function readHistoryFilter(address: Readonly<Record<string, unknown>>): HistoryFilter {
  const { search, status, type } = address;
  return {
    // The router parses a search for 2026 as a number.
    search: typeof search === "string" || typeof search === "number" ? cutSearch(String(search)) : "",
    status: JOB_STATUSES.find((known) => known === status) ?? null,
    type: JOB_TYPES.find((known) => known === type) ?? null,
  };
}

export function isFiltering(filter: HistoryFilter): boolean {
  return filter.search !== "" || filter.status !== null || filter.type !== null;
}

/** Returns the filter as request fields. */
export function toListFilter({ search, status, type }: HistoryFilter) {
  return { ...(search && { search }), ...(status && { status }), ...(type && { type }) };
}

/** The server refuses a longer search. */
function cutSearch(text: string): string {
  return text.trim().slice(0, MOST_SEARCH_CHARACTERS).trim();
}
