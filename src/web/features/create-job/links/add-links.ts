import { splitLinks } from "#contract/sources/links.ts";

export function addLinks(text: string, links: readonly string[]): string {
  const existing = splitLinks(text);
  const known = new Set(existing);
  return [...existing, ...links.filter((link) => !known.has(link))].join("\n");
}
