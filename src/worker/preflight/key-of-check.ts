import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkKey } from "#contract/sources/links.ts";

/** Returns the same key for links that get the same answer from their host. */
export function keyOfCheck(link: SourceLink): string {
  return `${linkKey(link)} ${link.accessKey ?? ""}`;
}
