/** Returns a sentence for text that is no single word of ASCII, or null. `what` names the field. */
export function faultOfVisibleText(text: string, what: string): string | null {
  return /^[\x21-\x7e]*$/.test(text) ? null : `The ${what} can't contain spaces or special characters.`;
}
