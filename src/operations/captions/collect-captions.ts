import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { cleanCaptions } from "./clean-captions.ts";

const EMOJI = /[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{Mn}\p{Mc}]|[\uFE00-\uFE0F]/gu;

export type CaptionCollection = {
  /** Takes what is new of an answer. Returns how many that were. */
  add(texts: readonly string[]): number;
  readonly captions: readonly string[];
  readonly missing: number;
};

/** Gathers `count` captions that are neither equal to one another nor to an existing one (see captionKey). */
export function collectCaptions(count: number, existing: readonly string[]): CaptionCollection {
  const taken = new Set(existing.map(captionKey));
  // A caption without a letter or a number is no caption.
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

/** Equal for captions that differ only in case, spaces, punctuation or emoji; "" for one that has nothing else. */
export function captionKey(caption: string): string {
  // Emoji go first: compatibility would turn some of them into letters.
  const letters = caption.replace(EMOJI, "").normalize("NFKC").replace(NEITHER_LETTER_NOR_NUMBER, "");
  // Through upper case: "straße" is "STRASSE" there, and one letter may have two small forms.
  return letters.toUpperCase().toLowerCase().normalize("NFKC");
}
