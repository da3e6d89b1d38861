import type { UploadUse } from "#contract/library.ts";
import type { VisibleUploads } from "./upload-store.ts";

/**
 * Adds links that are not listed yet. Finished uploads stay in the order in which their files were chosen, whichever
 * arrives first: each goes behind the nearest one chosen before it, or else in front of the nearest one chosen after it.
 * Other links go to the end.
 */
export function insertInOrder(
  listed: readonly string[],
  added: readonly string[],
  { uploads }: Pick<VisibleUploads, "uploads">,
  use: UploadUse,
): string[] {
  const chosen = uploads.flatMap((upload) =>
    upload.use === use && upload.state.kind === "done" ? [upload.state.file.link] : [],
  );
  const links = [...listed];
  for (const link of added) {
    if (links.includes(link)) continue;
    const place = chosen.indexOf(link);
    const before = chosen.slice(0, Math.max(place, 0)).findLast((other) => links.includes(other));
    const after = place < 0 ? undefined : chosen.slice(place).find((other) => links.includes(other));
    if (before !== undefined) links.splice(links.indexOf(before) + 1, 0, link);
    else if (after !== undefined) links.splice(links.indexOf(after), 0, link);
    else links.push(link);
  }
  return links;
}
