/** In UTF-16 units, without `end`. */
export type TextRange = { start: number; end: number };

/** One or two asterisks around text on one line, as in Markdown. Not the emoji *️⃣, and no space inside. */
const HIGHLIGHTED = /(?<!\*)(\*{1,2})(?!\s|\*|\uFE0F|\u20E3)([^*\n]+?)(?<!\s)\1(?!\*|\uFE0F|\u20E3)/gu;

/** Removes balanced asterisks; others stay. */
export function readHighlights(text: string): { text: string; highlights: TextRange[] } {
  const highlights: TextRange[] = [];
  let plain = "";
  let at = 0;
  for (const { index, 0: whole, 2: inner } of text.matchAll(HIGHLIGHTED)) {
    plain += text.slice(at, index);
    highlights.push({ start: plain.length, end: plain.length + inner!.length });
    plain += inner!;
    at = index + whole.length;
  }
  return { text: plain + text.slice(at), highlights };
}

/** Lines lack the spaces at their ends, and may end in an added hyphen or ellipsis. */
export function highlightsOfLines(
  text: string,
  highlights: readonly TextRange[],
  lines: readonly string[],
): TextRange[][] {
  let at = 0;
  return lines.map((line) => {
    while (/\s/u.test(text.charAt(at))) at++;
    const start = at;
    for (const unit of line.split("")) if (text.charAt(at) === unit) at++;
    return highlights
      .map((range) => ({ start: Math.max(range.start, start) - start, end: Math.min(range.end, at) - start }))
      .filter((range) => range.start < range.end);
  });
}
