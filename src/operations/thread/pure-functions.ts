import { ClipmillError } from "#contract/errors.ts";
import { combineClips } from "#contract/jobs/assemblies/combine-clips.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { requireStorableJson } from "#contract/storable-text.ts";
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

/** Inputs and results are copied between threads, so they contain only data. */
export const PURE_FUNCTIONS = { combineClips, parseCreateJob, parseJson, readTableRows };

export type PureFunctions = typeof PURE_FUNCTIONS;
