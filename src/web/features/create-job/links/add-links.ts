import { splitLinks } from "#contract/sources/links.ts";

/** Appends `links` to a links field's text, one per line, without those already in it. */
export function addLinks(text: string, links: string[]): string {
  const held = splitLinks(text);
  return [...held, ...links.filter((link) => !held.includes(link))].join("\n");
}
