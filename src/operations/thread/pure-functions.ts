import { ClipmillError } from "#contract/errors.ts";
import { combineClips } from "#contract/jobs/assemblies/combine-clips.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { requireStorableJson } from "#contract/storable-text.ts";
import { readSubtitles } from "#media/subtitles/read-subtitles.ts";
import { readTableRows } from "../jobs/table/read-table-rows.ts";

/** `problem` is a sentence. */
type ParsedJson = { value: unknown } | { problem: string };

/** `value` is {} for an empty text. Rejects text that cannot be stored. */
function parseJson(bytes: Uint8Array): ParsedJson {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    requireStorableJson(text, value);
    return { value };
  } catch (error) {
    // Errors lose their class between threads.
    return { problem: error instanceof ClipmillError ? error.message : "The request is not valid JSON." };
  }
}

/** `bytes` has one character for each byte. Returns what continues the file's name, or null. */
function findSubtitleProblem(bytes: string): string | null {
  try {
    readSubtitles(Buffer.from(bytes, "latin1"));
    return null;
  } catch (error) {
    if (error instanceof ClipmillError) return error.message;
    throw error;
  }
}

/** Inputs and results are copied between threads, so they contain only data. */
export const PURE_FUNCTIONS = { combineClips, findSubtitleProblem, parseCreateJob, parseJson, readTableRows };

export type PureFunctions = typeof PURE_FUNCTIONS;
