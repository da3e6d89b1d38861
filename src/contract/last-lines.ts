/**
 * Returns the last complete lines, at most `mostCharacters`. Cuts a longer single line at its end: without its start, a
 * link or token could not be recognized.
 */
export function lastLines(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const lastLine = text.lastIndexOf("\n", end - 1) + 1;
  if (text.length - lastLine > mostCharacters) return text.slice(lastLine, lastLine + mostCharacters);
  const firstWhole = text.indexOf("\n", text.length - mostCharacters - 1) + 1;
  return text.slice(firstWhole);
}
