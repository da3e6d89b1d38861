/**
 * Returns the last complete lines. A longer single line is cut at its end, because links and tokens are recognized by
 * their start.
 */
export function lastLines(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const lastLine = text.lastIndexOf("\n", end - 1) + 1;
  if (text.length - lastLine > maxCharacters) return text.slice(lastLine, lastLine + maxCharacters);
  const firstWhole = text.indexOf("\n", text.length - maxCharacters - 1) + 1;
  return text.slice(firstWhole);
}
