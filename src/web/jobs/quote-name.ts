import { cutText } from "./cut-text.ts";

/** A longer name would push the question out of sight. */
const MOST_CHARACTERS = 80;

/** A name inside a sentence: in quotation marks, cut, and isolated so that one written from right to left leaves the sentence in its order. */
export function quoteName(name: string): string {
  return `"\u2068${cutText(name, MOST_CHARACTERS)}\u2069"`;
}
