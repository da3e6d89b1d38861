import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkKey } from "#contract/sources/links.ts";

export type CheckedLink = SourceLink & { isFolder: boolean };

/** Equal for links that get the same response from their host. */
export function keyOfCheck(link: CheckedLink): string {
  return `${link.isFolder ? "folder" : "file"} ${linkKey(link)} ${link.accessKey ?? ""}`;
}
