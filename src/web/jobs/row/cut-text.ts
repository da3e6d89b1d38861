/** Longer names would push the question out of view. */
const MAX_CHARACTERS = 80;

/** Appends an ellipsis to the first `max` characters of longer text. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max).join("")}...`;
}

/** Truncates and quotes a name, isolated so that right-to-left names do not reorder the sentence. */
export function quoteName(name: string): string {
  return `"\u2068${cutText(name, MAX_CHARACTERS)}\u2069"`;
}
