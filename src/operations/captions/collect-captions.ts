import { JOB_LIMITS } from "#contract/jobs.ts";
import { captionKey } from "./caption-key.ts";
import { cleanCaptions } from "./clean-captions.ts";

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
