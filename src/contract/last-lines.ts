/**
 * Returns the last whole lines of a text, at most `mostCharacters`. A link or a token that was cut at its start could no longer
 * be recognized as one; so a line that is too long by itself keeps its start.
 */
export function lastLines(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const lastLine = text.lastIndexOf("\n", end - 1) + 1;
  if (text.length - lastLine > mostCharacters) return text.slice(lastLine, lastLine + mostCharacters);
  const firstWhole = text.indexOf("\n", text.length - mostCharacters - 1) + 1;
  return text.slice(firstWhole);
}
