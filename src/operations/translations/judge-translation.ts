import { type GlossaryTerm, termIn } from "#contract/settings/glossary.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { findMissing } from "#media/captions/fonts/drawable-text.ts";

/** A glossary term found in a text, and its translation. */
export type RequiredTerm = { term: string; as: string };

/** `width` is in shares of the font size. */
export type Original = { text: string; width: number; terms: readonly RequiredTerm[] };

/** `fault` is what the model must change. A translation that is only too wide is usable if there is no shorter one. */
export type Judged = { text: string; width: number; fault: string | null; isUsable: boolean };

/** Share of the original's width. */
const MOST_WIDTH = 1.3;

/** A letter next to it would make the term part of another word. Scripts without spaces between words have none. */
const SPACED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{N}]/u;

export function termsIn(text: string, glossary: readonly GlossaryTerm[], language: string): RequiredTerm[] {
  return glossary
    .filter(({ term }) => hasTerm(text, term))
    .map((entry) => ({ term: entry.term, as: termIn(entry, language) }));
}

function hasTerm(text: string, term: string): boolean {
  const [inText, wanted] = [fold(text), fold(term)];
  const [first, last] = [wanted.at(0)!, wanted.at(-1)!];
  for (let at = inText.indexOf(wanted); at >= 0; at = inText.indexOf(wanted, at + 1)) {
    const before = SPACED.test(first) && SPACED.test(inText.charAt(at - 1));
    const after = SPACED.test(last) && SPACED.test(inText.charAt(at + wanted.length));
    if (!before && !after) return true;
  }
  return false;
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Removes spaces added by the model; keeps line breaks only if the original has any. */
export function cleanTranslation(text: string, original: string): string {
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/u).map((line) => line.replaceAll(/\s+/gu, " ").trim());
  const kept = lines.filter((line) => line !== "");
  return kept.join(original.includes("\n") ? "\n" : " ");
}

/**
 * `text` is clean. `rowWidth` is that of a caption's row: a text may be wider than its original if it needs no more rows.
 */
export function judgeTranslation(original: Original, text: string, width: number, rowWidth: number): Judged {
  const fault = hardFault(original, text);
  if (fault !== null) return { text, width, fault, isUsable: false };
  const rows = Math.max(1, Math.ceil(original.width / rowWidth));
  const most = Math.max(original.width * MOST_WIDTH, rows * rowWidth);
  if (width <= most) return { text, width, fault: null, isUsable: true };
  const characters = Math.max(1, Math.floor((text.length * most) / width));
  return { text, width, fault: `too long: use at most ${characters} characters`, isUsable: true };
}

function hardFault(original: Original, text: string): string | null {
  if (text === "") return "missing";
  // A line of a subtitle file may be longer than any caption.
  const most = Math.max(JOB_LIMITS.captionCharacters, 2 * original.text.length);
  if (text.length > most) return `too long: use at most ${most} characters`;
  const lost = original.terms.find(({ as }) => !fold(text).includes(fold(as)));
  if (lost) return `must contain "${lost.as}"`;
  const known = new Set(findMissing([original.text])?.characters);
  const missing = (findMissing([text])?.characters ?? []).filter((character) => !known.has(character));
  if (missing.length > 0) return `cannot be drawn: avoid ${missing.slice(0, 10).join(" ")}`;
  return starsOf(text) === starsOf(original.text) ? null : "keep the asterisks around the same words";
}

/** Asterisks mark highlighted words. */
function starsOf(text: string): number {
  return text.split("*").length - 1;
}
