/** An address with a scheme, up to the next space, comma or quote. */
const LINK = /\b(?:https?|s3):\/\/[^\s,"'<>]+/gi;

/** Returns the links in a pasted text, in order: one per line, separated by commas, or cells of a table. Pure. */
export function readPastedLinks(text: string): string[] {
  return text.match(LINK) ?? [];
}
