import { cutText } from "./cut-text.ts";

/** A longer name would push the question out of view. */
const MAX_CHARACTERS = 80;

/** Quotes, cuts and isolates a name, so that a right-to-left name does not reorder the sentence. */
export function quoteName(name: string): string {
  return `"\u2068${cutText(name, MAX_CHARACTERS)}\u2069"`;
}
