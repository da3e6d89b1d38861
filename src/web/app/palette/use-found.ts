import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Job, JobStatus } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import { readVerb, type Found, type NamedSet, keepMatching } from "./keep-matching.ts";
import { openTables, requireRows } from "../../api/tables.ts";
import { useSettled } from "../../ui/use-settled.ts";

const NOTHING: Found = { jobs: [], actionJobs: [], captionSets: [], audioSets: [] };
const DEBOUNCE_MS = 200;
const MAX_PER_KIND = 5;

/** Searches once typing pauses; without text, returns the newest jobs. */
export function useFound(typed: string): { found: Found; isError: boolean } {
  const query = useSettled(typed.trim(), DEBOUNCE_MS);
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ["palette", query],
    queryFn: async ({ signal }): Promise<Found> => {
      const [jobs, actionJobs, captionSets, audioSets] = await Promise.all([
        findJobs(query, signal),
        findForVerb(query, signal),
        findSets("caption_sets", query, signal),
        findSets("audio_sets", query, signal),
      ]);
      return { jobs, actionJobs, captionSets, audioSets };
    },
    placeholderData: keepPreviousData,
  });
  const isCurrent = !isPlaceholderData && query === typed.trim();
  return { found: isCurrent ? (data ?? NOTHING) : keepMatching(data ?? NOTHING, typed), isError };
}

async function findJobs(search: string, signal: AbortSignal, status?: JobStatus): Promise<Job[]> {
  const request = { page: "1", limit: String(MAX_PER_KIND), ...(search && { search }), ...(status && { status }) };
  return (await listJobs(request, signal)).jobs;
}

async function findForVerb(typed: string, signal: AbortSignal): Promise<Job[]> {
  const read = readVerb(typed);
  if (read === null) return [];
  const statuses: JobStatus[] = read.verb === "cancel" ? ["Processing", "Queued"] : ["Completed"];
  return (await Promise.all(statuses.map((status) => findJobs(read.words, signal, status)))).flat();
}

async function findSets(table: "caption_sets" | "audio_sets", query: string, signal: AbortSignal): Promise<NamedSet[]> {
  if (query === "") return [];
  const tables = await openTables();
  const pattern = `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = tables.from(table).select("id,name").ilike("name", pattern);
  return requireRows(
    await rows.order("created_at", { ascending: false }).limit(MAX_PER_KIND).abortSignal(signal),
  ) as NamedSet[];
}
