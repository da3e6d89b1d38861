import { splitLinks } from "#contract/sources/links.ts";

/** Appends links missing from a field's text, one per line. */
export function addLinks(text: string, links: string[]): string {
  const existing = splitLinks(text);
  return [...existing, ...links.filter((link) => !existing.includes(link))].join("\n");
}
