const NUMBER = /^\(?(\d{1,3})[.):]\s+/;
const BULLET = /^(?:[-–—•*]\s+|#\d{1,3}[.):]?\s+|caption\s+\d{1,3}\s*[.:)-]\s*)/iu;
const QUOTES: [open: string, close: string][] = [
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["«", "»"],
  ["`", "`"],
];

/**
 * Removes line breaks, list numbers, bullets and quotes. A leading number that is not the position in the list stays:
 * "7 days in Rome", "24. December".
 */
export function cleanCaptions(texts: readonly string[]): string[] {
  const lines = texts.map((text) => text.replaceAll(/[\s\u0085]+/gu, " ").trim());
  const isNumbered = lines.length > 1 && lines.every((line) => NUMBER.test(line));
  return lines.map((line, place) => {
    const number = NUMBER.exec(line)?.[1];
    const isPlace = isNumbered || Number(number) === place + 1;
    const unnumbered = number !== undefined && isPlace ? line.replace(NUMBER, "") : line;
    return unquote(unnumbered.replace(BULLET, "").trim());
  });
}

function unquote(text: string): string {
  for (const [open, close] of QUOTES) {
    const inner = text.slice(open.length, -close.length);
    const isAround = text.length > 2 && text.startsWith(open) && text.endsWith(close);
    // Quotes inside, as in `"one" or "two"`, do not enclose the whole text.
    if (isAround && !inner.includes(open) && !inner.includes(close)) return inner.trim();
  }
  return text;
}
