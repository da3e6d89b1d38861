import { z } from "zod";
import { component } from "../../component.ts";

/**
 * - letters_missing: no font has some characters of a caption, watermark or text.
 * - caption_cut: only a caption's beginning fits.
 * - caption_not_shown: the output ends before its caption starts.
 * - picture_damaged: frames are missing, incomplete or undecodable.
 * - end_missing: the video ends before its stated length.
 * - sound_damaged: sound of the video or music cannot be decoded.
 * - silences_not_cut: the video has no sound, or no speech in it.
 * - fillers_not_cut: the video has neither a subtitle file nor speech.
 * - faces_not_followed: the video has no face that the crop could follow.
 * - subtitles_not_shown: subtitles are on, but the video has neither a file of them nor speech, or no words in this part.
 */
const CODES = [
  "letters_missing",
  "caption_cut",
  "caption_not_shown",
  "picture_damaged",
  "end_missing",
  "sound_damaged",
  "silences_not_cut",
  "fillers_not_cut",
  "faces_not_followed",
  "subtitles_not_shown",
] as const;

export const Warning = component("Warning", "`code` is stable.", () => ({ code: z.enum(CODES), message: z.string() }));
export type Warning = z.infer<typeof Warning>;

const MOST_LISTED = 12;

export function lettersMissing(
  what: "caption" | "watermark" | "text" | "subtitle text",
  characters: readonly string[],
): Warning | null {
  if (characters.length === 0) return null;
  const message = `The ${what} is drawn without ${listCharacters(characters)}: no font supports ${characters.length === 1 ? "it" : "them"}.`;
  return { code: "letters_missing", message };
}

/** `captions` counts the affected captions; `first` is an index. */
export function captionsMissingLetters(missing: {
  characters: readonly string[];
  captions: number;
  first: number;
}): Warning {
  const { characters, captions, first } = missing;
  if (captions === 1) {
    const message = `Caption ${first + 1} will be drawn without ${listCharacters(characters)}: no font supports ${characters.length === 1 ? "it" : "them"}.`;
    return { code: "letters_missing", message };
  }
  const message = `${captions.toLocaleString("en")} captions will be drawn without some characters that no font supports: ${listCharacters(characters)}. The first is caption ${first + 1}.`;
  return { code: "letters_missing", message };
}

/** Both numbers count graphemes. */
export function captionCut({ characters, shown }: { characters: number; shown: number }): Warning {
  const message = `Only the first ${shown} of the caption's ${characters} characters fit in this video. Shorten the caption.`;
  return { code: "caption_cut", message };
}

export function captionNotShown(startSeconds: number): Warning {
  const message = `The caption is not shown: it starts at ${startSeconds} s, and this video is shorter.`;
  return { code: "caption_not_shown", message };
}

export function silencesNotCut(hasSound: boolean): Warning {
  const reason = hasSound ? "no speech was found in this video" : "this video has no sound that can be decoded";
  return { code: "silences_not_cut", message: `Silences were not cut: ${reason}.` };
}

const NO_WORDS = "this video has neither a subtitle file nor speech that can be transcribed";

export const FILLERS_NOT_CUT: Warning = { code: "fillers_not_cut", message: `Fillers were not cut: ${NO_WORDS}.` };

export const FACES_NOT_FOLLOWED: Warning = {
  code: "faces_not_followed",
  message: "The crop does not follow a face: no face was found in this video.",
};

export function subtitlesNotShown(hasTranscript: boolean): Warning {
  const reason = hasTranscript ? "there are no words in this part of the video" : NO_WORDS;
  return { code: "subtitles_not_shown", message: `No subtitles are shown: ${reason}.` };
}

function listCharacters(characters: readonly string[]): string {
  const rest = characters.length - MOST_LISTED;
  const listed = characters.slice(0, MOST_LISTED).join(" ");
  return rest > 0 ? `${listed} and ${rest} more characters` : listed;
}

/** `share` is from 0 to 1. */
export function pictureDamaged(share: number): Warning {
  return { code: "picture_damaged", message: `${describeShare(share)} of this video's frames are missing or damaged.` };
}

export function endMissing(seconds: number): Warning {
  return { code: "end_missing", message: `The last ${seconds.toFixed(1)} seconds of this video are missing.` };
}

/** `share` is from 0 to 1. */
export function soundDamaged(of: "video" | "music", share: number): Warning {
  const sound = of === "video" ? "this video's sound" : "the music";
  return { code: "sound_damaged", message: `${describeShare(share)} of ${sound} is missing or damaged.` };
}

const FRACTIONS: [share: number, words: string][] = [
  [1 / 4, "a quarter"],
  [1 / 3, "a third"],
  [1 / 2, "half"],
  [2 / 3, "two thirds"],
  [3 / 4, "three quarters"],
];

function describeShare(share: number): string {
  if (share < 0.01) return "Less than 1%";
  if (share > 0.95) return "Nearly all";
  const [fraction] = FRACTIONS.filter(([exact]) => Math.abs(share - exact) < 0.06).toSorted(
    ([a], [b]) => Math.abs(share - a) - Math.abs(share - b),
  );
  return `About ${fraction?.[1] ?? `${Math.round(share * 100)}%`}`;
}
