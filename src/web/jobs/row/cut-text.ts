/** The text, or its first `most` characters and an ellipsis. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most).join("")}...`;
}
