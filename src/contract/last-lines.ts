/**
 * Returns the last complete lines of a text, at most `mostCharacters`. A single line that is too long is cut at its
 * end, because a link or token cut at its start could no longer be recognized (and removed).
 */
export function lastLines(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const lastLine = text.lastIndexOf("\n", end - 1) + 1;
  if (text.length - lastLine > mostCharacters) return text.slice(lastLine, lastLine + mostCharacters);
  const firstWhole = text.indexOf("\n", text.length - mostCharacters - 1) + 1;
  return text.slice(firstWhole);
}
