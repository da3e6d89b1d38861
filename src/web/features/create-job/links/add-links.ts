import { splitLinks } from "#contract/sources/links.ts";

/** Appends links missing from a field's text, one per line. */
export function addLinks(text: string, links: string[]): string {
  const held = splitLinks(text);
  return [...held, ...links.filter((link) => !held.includes(link))].join("\n");
}
