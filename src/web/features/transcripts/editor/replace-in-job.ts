import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { listAllTranscripts, readTranscript, updateTranscript } from "../../../api/functions/transcripts.ts";
import { replaceText, type Search } from "../model/find-text.ts";
import { applyPatches } from "../model/patches.ts";

/** Returns the job's finished transcripts except the open one. Throws CallError. */
export async function readOthersOfJob(jobId: string, openId: string): Promise<WholeTranscript[]> {
  const all = await listAllTranscripts({ job_id: jobId });
  const others = all.filter(({ id, status }) => id !== openId && status === "Completed");
  const read: WholeTranscript[] = [];
  for (const { id } of others) read.push(await readTranscript(id));
  return read;
}

type Replaced = { transcripts: number; count: number; failed: string[] };

/** Changes and saves transcripts one after the other. Reports those that fail, and continues with the rest. */
export async function replaceInOthers(
  others: readonly WholeTranscript[],
  search: Search,
  replacement: string,
): Promise<Replaced> {
  const result: Replaced = { transcripts: 0, count: 0, failed: [] };
  for (const other of others) {
    try {
      const count = await replaceIn(other, search, replacement);
      result.count += count;
      if (count > 0) result.transcripts += 1;
    } catch (error) {
      result.failed.push(`${other.name}: ${error instanceof CallError ? error.message : "Unknown error."}`);
    }
  }
  return result;
}

/** Tries again with the newest revision if someone else has changed it since it was read. */
async function replaceIn(transcript: WholeTranscript, search: Search, replacement: string): Promise<number> {
  const found = replaceText(transcript.lines, search, replacement);
  const lines = found && applyPatches(transcript.lines, found.patches);
  if (!found || !lines) return 0;
  try {
    await updateTranscript(transcript.id, { revision: transcript.revision, lines });
    return found.count;
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 409) throw error;
    const latest = await readTranscript(transcript.id);
    if (latest.revision === transcript.revision) throw error;
    return await replaceIn(latest, search, replacement);
  }
}
