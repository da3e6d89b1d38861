import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job, JobStatus } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import { readVerb } from "./read-verb.ts";
import { type Found, type NamedSet, stillMatching } from "./still-matching.ts";
import { openTables, requireRows } from "../../api/tables.ts";

const NOTHING: Found = { jobs: [], actionJobs: [], captionSets: [], audioSets: [] };
const PAUSE_MS = 200;
const MOST_OF_A_KIND = 5;

/** The jobs and sets that go by what was typed, once typing pauses. Without text: the newest jobs. */
export function useFound(typed: string): { found: Found; isError: boolean } {
  const wanted = useSettled(typed.trim());
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ["palette", wanted],
    queryFn: async ({ signal }): Promise<Found> => {
      const [jobs, actionJobs, captionSets, audioSets] = await Promise.all([
        findJobs(wanted, signal),
        findForVerb(wanted, signal),
        findSets("caption_sets", wanted, signal),
        findSets("audio_sets", wanted, signal),
      ]);
      return { jobs, actionJobs, captionSets, audioSets };
    },
    placeholderData: keepPreviousData,
  });
  const isOfTyped = !isPlaceholderData && wanted === typed.trim();
  return { found: isOfTyped ? (data ?? NOTHING) : stillMatching(data ?? NOTHING, typed), isError };
}

async function findJobs(search: string, signal: AbortSignal, status?: JobStatus): Promise<Job[]> {
  const request = { page: "1", limit: String(MOST_OF_A_KIND), ...(search && { search }), ...(status && { status }) };
  return (await listJobs(request, signal)).jobs;
}

/** Returns the newest jobs that can be canceled or downloaded, if that verb was typed. */
async function findForVerb(typed: string, signal: AbortSignal): Promise<Job[]> {
  const read = readVerb(typed);
  if (read === null) return [];
  const statuses: JobStatus[] = read.verb === "cancel" ? ["Processing", "Queued"] : ["Completed"];
  return (await Promise.all(statuses.map((status) => findJobs(read.words, signal, status)))).flat();
}

async function findSets(
  table: "caption_sets" | "audio_sets",
  wanted: string,
  signal: AbortSignal,
): Promise<NamedSet[]> {
  if (wanted === "") return [];
  const tables = await openTables();
  const pattern = `%${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = tables.from(table).select("id,name").ilike("name", pattern);
  return requireRows(
    await rows.order("created_at", { ascending: false }).limit(MOST_OF_A_KIND).abortSignal(signal),
  ) as NamedSet[];
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
