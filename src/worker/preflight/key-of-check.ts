import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkKey } from "#contract/sources/links.ts";

/** A link to a file or a folder. */
export type CheckedLink = SourceLink & { isFolder: boolean };

/** Returns the same key for links that get the same answer from their host. */
export function keyOfCheck(link: CheckedLink): string {
  return `${link.isFolder ? "folder" : "file"} ${linkKey(link)} ${link.accessKey ?? ""}`;
}
