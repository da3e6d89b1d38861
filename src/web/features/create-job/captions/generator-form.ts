import type { GenerateCaptionsRequest, GenerationMode } from "#contract/captions.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SavedSet } from "../../../api/set-tables.ts";

/** `count` is unparsed text; `setId` is "" without a reference set. */
export type GeneratorForm = { mode: GenerationMode; count: string; setId: string; prompt: string; notes: string };

const COUNT = { fallback: 5, min: 1, max: 100 } as const;

export const EMPTY_GENERATOR: GeneratorForm = {
  mode: "reference",
  count: String(COUNT.fallback),
  setId: "",
  prompt: "",
  notes: "",
};

/** Returns 1 for blank or smaller input, at most 100. */
export function readCount(text: string): number {
  return Math.min(COUNT.max, wholeNumberOr(text, COUNT.min));
}

/** Returns the toast for missing input, or null. */
export function missingGeneratorInput({
  mode,
  setId,
  prompt,
}: GeneratorForm): { title: string; description: string } | null {
  if (mode === "reference" && setId === "") {
    return { title: "Caption Set Required", description: "Select a caption set to use as a reference" };
  }
  if (mode === "custom" && prompt.trim() === "") {
    return { title: "Prompt Required", description: "Enter a prompt for the captions" };
  }
  return null;
}

/** The server's limit. */
const MAX_VIDEOS = 200;

/**
 * The server itself excludes the reference set's captions; `existingCaptions` has the others to avoid. `videos` are the
 * form's links.
 */
export function toGenerateRequest(
  form: GeneratorForm,
  captions: readonly string[],
  set: SavedSet | null,
  videos: readonly string[],
): GenerateCaptionsRequest {
  const isReference = form.mode === "reference";
  const inSet = new Set(isReference ? set?.items : []);
  return {
    count: readCount(form.count),
    existingCaptions: captions.filter((caption) => !inSet.has(caption)).slice(0, JOB_LIMITS.captions),
    captionSetId: isReference ? form.setId : null,
    customPrompt: isReference ? "" : form.prompt.trim(),
    customNotes: form.notes.trim(),
    generationMode: form.mode,
    videoLinks: [...new Set(videos)].slice(0, MAX_VIDEOS),
  };
}

export function addCaptions(text: string, generated: readonly string[]): string {
  const lines = generated
    .map((caption) => caption.replaceAll(/\s*[\r\n]+\s*/g, " ").trim())
    .filter((line) => line !== "");
  return [text.trimEnd(), ...lines].filter((part) => part !== "").join("\n");
}

/** Rounds down; returns `fallback` for blank, non-numeric or smaller than 1. */
function wholeNumberOr(text: string, fallback: number): number {
  const number = Math.floor(Number(text));
  return text.trim() !== "" && Number.isFinite(number) && number >= 1 ? number : fallback;
}
