import { JOB_TYPES, type JobFilter, MAX_SEARCH_CHARACTERS } from "#contract/jobs/job-filter.ts";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";

export type HistoryFilter = JobFilter & { search: string };

/** Reads ?search=…&status=…&type=…; drops invalid values. */
export function readHistoryFilter(address: Readonly<Record<string, unknown>>): HistoryFilter {
  const { search, status, type } = address;
  return {
    // The router parses 2026 as a number.
    search: typeof search === "string" || typeof search === "number" ? cutSearch(String(search)) : "",
    status: JOB_STATUSES.find((known) => known === status) ?? null,
    type: JOB_TYPES.find((known) => known === type) ?? null,
  };
}

export function isFiltering(filter: HistoryFilter): boolean {
  return filter.search !== "" || filter.status !== null || filter.type !== null;
}

export function toListFilter({ search, status, type }: HistoryFilter) {
  return { ...(search && { search }), ...(status && { status }), ...(type && { type }) };
}

function cutSearch(text: string): string {
  return text.trim().slice(0, MAX_SEARCH_CHARACTERS).trim();
}
