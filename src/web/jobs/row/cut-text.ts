/** Returns the text, or its first `max` characters and an ellipsis. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max).join("")}...`;
}
