import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listJobs } from "../../api/jobs.ts";
import { openTables, requireRows } from "../../api/tables.ts";

export type NamedSet = { id: string; name: string };

const PAUSE_MS = 200;
const MOST_OF_A_KIND = 5;

/** The jobs and sets that go by what was typed, once typing pauses. Without text: the newest jobs. */
export function useFound(typed: string) {
  const wanted = useSettled(typed.trim());
  return useQuery({
    queryKey: ["palette", wanted],
    queryFn: async ({ signal }) => {
      const [jobs, captionSets, audioSets] = await Promise.all([
        listJobs({ page: "1", limit: String(MOST_OF_A_KIND), ...(wanted && { search: wanted }) }, signal),
        findSets("caption_sets", wanted, signal),
        findSets("audio_sets", wanted, signal),
      ]);
      return { jobs: jobs.jobs, captionSets, audioSets };
    },
    placeholderData: keepPreviousData,
  });
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
