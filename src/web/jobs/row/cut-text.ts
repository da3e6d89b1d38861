/** A longer name would push the question out of view. */
const MAX_CHARACTERS = 80;

/** Returns the text, or its first `max` characters and an ellipsis. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max).join("")}...`;
}

/** Quotes, cuts and isolates a name, so that a right-to-left name does not reorder the sentence. */
export function quoteName(name: string): string {
  return `"\u2068${cutText(name, MAX_CHARACTERS)}\u2069"`;
}
