import { splitLinks } from "#contract/sources/links.ts";

/** The text of a links field with `links` on lines of their own below it, but for those it holds already. */
export function addLinks(text: string, links: string[]): string {
  const held = splitLinks(text);
  return [...held, ...links.filter((link) => !held.includes(link))].join("\n");
}
