import { splitLinks } from "#contract/sources/links.ts";
import { hasLink, textAfterLink } from "#contract/sources/links-in-text.ts";

/** Accepts any text with links, such as table cells, and ignores the rest of it. */
export function readPastedLinks(text: string): string[] {
  return splitLinks(text)
    .filter(hasLink)
    .map((link) => link.slice(0, link.length - (textAfterLink(link) ?? "").length).trim());
}
