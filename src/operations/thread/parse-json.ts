import { ClipmillError } from "#contract/errors.ts";
import { requireStorableJson } from "#contract/storable-text.ts";

/** `problem` is a sentence. */
export type ParsedJson = { value: unknown } | { problem: string };

/** `value` is {} for an empty text. Refuses text that cannot be stored. */
export function parseJson(bytes: Uint8Array): ParsedJson {
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
