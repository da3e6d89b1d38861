/** All calls throw CallError. */
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type {
  ExportedTranscript,
  Transcript,
  TranscriptFormat,
  TranscriptLine,
  TranscriptResponse,
  TranscriptsResponse,
  WholeTranscript,
} from "#contract/transcripts/transcripts.ts";
import { openTables, requireRows } from "../tables.ts";
import { callFunction } from "./call-function.ts";

export const transcriptKeys = {
  lists: ["transcripts"],
  list: (filter: TranscriptFilter) => ["transcripts", filter],
  one: (id: string) => ["transcript", id],
  files: (id: string) => ["transcript-files", id],
} as const;

/** Lists the transcripts of one job or one video, or all without a filter. */
export type TranscriptFilter = { job_id?: string; video_id?: string };

/** Newest first. */
export function listTranscripts(
  filter: TranscriptFilter,
  page: { page: number; limit: number },
  signal?: AbortSignal,
): Promise<TranscriptsResponse> {
  return callFunction("transcripts", { action: "list", ...filter, ...page }, { signal });
}

const MOST_LISTED = 100;

export async function listAllTranscripts(filter: TranscriptFilter): Promise<Transcript[]> {
  const all: Transcript[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await listTranscripts(filter, { page, limit: MOST_LISTED });
    all.push(...data);
    if (data.length < MOST_LISTED || all.length >= total) return all;
  }
}

export async function readTranscript(id: string, signal?: AbortSignal): Promise<WholeTranscript> {
  return (await callFunction<TranscriptResponse>("transcripts", { action: "read", id }, { signal })).data;
}

/** Throws a 409 if the transcript has changed since `revision`. */
export async function updateTranscript(
  id: string,
  edited: { revision: number; lines: readonly TranscriptLine[] },
): Promise<WholeTranscript> {
  return (await callFunction<TranscriptResponse>("transcripts", { action: "update", id, ...edited })).data;
}

export function exportTranscript(id: string, format: TranscriptFormat): Promise<ExportedTranscript> {
  return callFunction("transcripts", { action: "export", id, format });
}

export type FilePart = Pick<JobOutput, "id" | "video_id" | "start_seconds" | "end_seconds">;

const FILES_PER_PAGE = 1_500;

/** Returns the finished files of these videos. */
export async function readFilesOfVideos(videoIds: readonly string[]): Promise<FilePart[]> {
  const tables = await openTables();
  const files: FilePart[] = [];
  for (;;) {
    const page = tables.from("job_outputs").select("id,video_id,start_seconds,end_seconds").in("video_id", videoIds);
    const last = files.at(-1);
    const rest = page.eq("status", "Completed").order("id").limit(FILES_PER_PAGE);
    const rows = requireRows(await (last ? rest.gt("id", last.id) : rest)) as FilePart[];
    files.push(...rows);
    if (rows.length < FILES_PER_PAGE) return files;
  }
}
