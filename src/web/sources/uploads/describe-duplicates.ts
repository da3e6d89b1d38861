import { quoteName } from "../../jobs/row/quote-name.ts";
import type { Duplicate } from "./upload-store.ts";

/** Returns one sentence for a toast. */
export function describeDuplicates(
  duplicates: readonly { name: string; file: Pick<Duplicate["file"], "name"> }[],
): string {
  const [first, ...others] = duplicates;
  if (!first) return "";
  if (others.length > 0) return `${duplicates.length} files were uploaded before. Each is kept only once.`;
  return first.name === first.file.name
    ? `${quoteName(first.name)} was uploaded before. It is kept only once.`
    : `${quoteName(first.name)} has the same content as ${quoteName(first.file.name)}. It is kept only once.`;
}
