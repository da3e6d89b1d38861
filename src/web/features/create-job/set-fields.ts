import type { SetKind } from "./set-texts.ts";

/** Which fields of the form a kind of set is about: its text, the chosen set, and the section's switch. */
export const SET_FIELDS = {
  caption: { text: "captions", id: "captionSetId", isOn: "captionsEnabled" },
  audio: { text: "audioLinks", id: "audioSetId", isOn: "audioEnabled" },
} as const satisfies Record<SetKind, { text: string; id: string; isOn: string }>;
