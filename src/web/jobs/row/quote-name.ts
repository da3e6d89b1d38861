import { cutText } from "./cut-text.ts";

/** A longer name would push the question out of sight. */
const MOST_CHARACTERS = 80;

/** Returns a name for a sentence: in quotation marks, cut, and isolated, so that a right-to-left name keeps the sentence in order. */
export function quoteName(name: string): string {
  return `"\u2068${cutText(name, MOST_CHARACTERS)}\u2069"`;
}
