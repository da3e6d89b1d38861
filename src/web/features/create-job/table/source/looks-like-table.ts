/** Does not parse. Part of the form's first chunk. */
import { completeLink } from "#contract/sources/links-in-text.ts";

/**
 * Returns true for cells copied from a spreadsheet, and for CSV whose header names a link column. Comma-separated links
 * are only a list.
 */
export function looksLikeTable(text: string): boolean {
  const lines = text.trim().split(/\r\n|\r|\n/, 3);
  const first = lines[0] ?? "";
  if (lines.every((line) => line.includes("\t"))) return first !== "";
  if (lines.length < 2 || !/[,;|]/.test(first)) return false;
  const names = first.split(/[,;|]/).map((name) => name.replaceAll('"', "").trim());
  return !names.some(isAddress) && names.some((name) => LINK_NAME.test(name));
}

const LINK_NAME = /^(?:video[ _-]?)?(?:links?|url|video|source)$/i;

function isAddress(text: string): boolean {
  return completeLink(text).includes("://");
}
