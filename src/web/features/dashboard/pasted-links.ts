/** Up to the next space, comma or quote. */
const LINK = /\b(?:https?|s3):\/\/[^\s,"'<>]+/gi;

/** Accepts one link per line, comma-separated links and table cells. */
export function readPastedLinks(text: string): string[] {
  return text.match(LINK) ?? [];
}
