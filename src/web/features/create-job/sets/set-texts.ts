import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { SavedSet } from "../../../api/set-tables.ts";

export type SetKind = "caption" | "audio";

export type SetTexts = {
  picker: string;
  item: string;
  loaded: string;
  saved: string;
  needed: string;
  failedToSave: string;
  gone: { title: string; description: string };
  saveTitle: string;
  tooMany: string;
};

export const SET_TEXTS: Record<SetKind, SetTexts> = {
  caption: {
    picker: "Saved caption sets",
    item: "caption",
    loaded: "Caption Set Loaded",
    saved: "Caption Set Saved",
    needed: "Please provide both a set name and captions",
    failedToSave: "Failed to save caption set",
    gone: {
      title: "Caption Set Not Found",
      description: "The selected caption set no longer exists. Please refresh and select another.",
    },
    saveTitle: "Save captions as a set",
    tooMany: "A caption set can have at most 10,000 captions",
  },
  audio: {
    picker: "Saved audio sets",
    item: "track",
    loaded: "Audio Set Loaded",
    saved: "Audio Set Saved",
    needed: "Please provide both a set name and audio links",
    failedToSave: "Failed to save audio set",
    gone: {
      title: "Audio Set Not Found",
      description: "The selected audio set no longer exists. Please refresh and select another.",
    },
    saveTitle: "Save audio links as a set",
    tooMany: "An audio set can have at most 1,000 audio links",
  },
};

/** Returns one sentence, or null if the set can be saved. */
export function saveProblem(kind: SetKind, name: string, items: readonly string[]): string | null {
  const texts = SET_TEXTS[kind];
  const limits =
    kind === "caption"
      ? { items: JOB_LIMITS.captions, characters: JOB_LIMITS.captionCharacters }
      : { items: JOB_LIMITS.tracks, characters: JOB_LIMITS.linkCharacters };
  if (name.trim() === "" || items.length === 0) return texts.needed;
  if (items.length > limits.items) return texts.tooMany;
  const tooLong = items.findIndex((item) => item.length > limits.characters);
  return tooLong < 0 ? null : `Line ${tooLong + 1} is longer than 2,000 characters`;
}

export function textOfItems(items: readonly string[]): string {
  // Text areas normalize line breaks the same way, so the texts compare equal.
  return items.join("\n").replaceAll(/\r\n?/g, "\n");
}

/** Returns null if the set no longer exists or its text was edited. */
export function findChosenSet(sets: readonly SavedSet[], id: string, text: string): SavedSet | null {
  if (id === "") return null;
  const set = sets.find((candidate) => candidate.id === id);
  return set && textOfItems(set.items) === text ? set : null;
}
