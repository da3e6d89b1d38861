/** More would be hard to keep in mind. */
const MAX_LABELS = 8;
const LABEL = /^[a-z0-9][a-z0-9._-]{0,29}$/;

/** Ends a sentence or hint. */
export const LABELS_RULE = "at most 8 labels of letters, digits, dots, dashes and underscores, separated by commas";

/** Parses labels such as `gpu, eu`: lowercase, unique, sorted. Returns null for anything else. */
export function parseWorkerLabels(text: string): string[] | null {
  const words = text.toLowerCase().split(",");
  const labels = new Set(words.map((word) => word.trim()).filter((word) => word !== ""));
  const isReadable = labels.size <= MAX_LABELS && [...labels].every((label) => LABEL.test(label));
  return isReadable ? [...labels].toSorted() : null;
}
