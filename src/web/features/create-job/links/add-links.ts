import { splitLinks } from "#contract/sources/links.ts";

export function addLinks(text: string, links: string[]): string {
  const existing = splitLinks(text);
  return [...existing, ...links.filter((link) => !existing.includes(link))].join("\n");
}
