import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { cleanCaptions } from "./clean-captions.ts";

const EMOJI = /[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{Mn}\p{Mc}]|[\uFE00-\uFE0F]/gu;

export type CaptionCollection = {
  add(texts: readonly string[]): number;
  readonly captions: readonly string[];
  readonly missing: number;
};

/** Captions differ from one another and from existing ones by captionKey. */
export function collectCaptions(count: number, existing: readonly string[]): CaptionCollection {
  const taken = new Set(existing.map(captionKey));
  // A caption needs a letter or a number.
  taken.add("");
  const captions: string[] = [];
  return {
    captions,
    get missing() {
      return count - captions.length;
    },
    add(texts) {
      const before = captions.length;
      for (const caption of cleanCaptions(texts)) {
        const key = captionKey(caption);
        if (captions.length === count || taken.has(key) || caption.length > JOB_LIMITS.captionCharacters) continue;
        taken.add(key);
        captions.push(caption);
      }
      return captions.length - before;
    },
  };
}

/** Ignores case, spaces, punctuation and emoji; "" without anything else. */
export function captionKey(caption: string): string {
  // Emoji first: NFKC would convert some to letters.
  const letters = caption.replace(EMOJI, "").normalize("NFKC").replace(NEITHER_LETTER_NOR_NUMBER, "");
  // Via upper case: "straße" becomes "STRASSE", and a letter may have two lower-case forms.
  return letters.toUpperCase().toLowerCase().normalize("NFKC");
}
