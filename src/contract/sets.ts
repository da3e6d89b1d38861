import { z } from "zod";
import { component } from "./component.ts";
import { JOB_LIMITS } from "./jobs/jobs.ts";
import { Warning } from "./jobs/outputs/warnings.ts";
import { linksIn } from "./sources/links-in-text.ts";
import { utf8Bytes } from "./storable-text.ts";

export const CaptionSet = component("CaptionSet", () => ({
  id: z.string(),
  name: z.string(),
  captions: z.array(z.string()),
  warnings: z.array(Warning).describe("Characters missing from the fonts. Computed on read."),
  created_at: z.string(),
}));
export type CaptionSet = z.infer<typeof CaptionSet>;

export const AudioSet = component("AudioSet", () => ({
  id: z.string(),
  name: z.string(),
  audio_links: z.array(z.string()),
  created_at: z.string(),
}));
export type AudioSet = z.infer<typeof AudioSet>;

export const CaptionSetsResponse = component("CaptionSetsResponse", "Lists are newest first.", () => ({
  data: z.array(CaptionSet),
}));

export const CaptionSetResponse = component("CaptionSetResponse", () => ({ data: CaptionSet }));

export const AudioSetsResponse = component("AudioSetsResponse", () => ({ data: z.array(AudioSet) }));

export const AudioSetResponse = component("AudioSetResponse", () => ({ data: AudioSet }));

const CAPTIONS_NEEDED = "Please provide both name and captions";
const LINKS_NEEDED = "Please provide both name and audio links";

const name = (needed: string) =>
  z
    .string({ error: needed })
    .trim()
    .min(1, needed)
    .max(JOB_LIMITS.nameCharacters, "Names can have at most 200 characters");

type Most = {
  items: number;
  tooMany: string;
  characters: number;
  tooLong: (number: number) => string;
  bytes: number;
  tooLarge: string;
  /** Returns the items of a text, trimmed. */
  read: (text: string) => string[];
};

const items = (needed: string, { items: mostItems, tooMany, characters, tooLong, bytes, tooLarge, read }: Most) =>
  z
    .array(z.string().max(characters, { error: ({ path }) => tooLong(Number(path?.at(-1)) + 1) }), { error: needed })
    .max(mostItems, tooMany)
    .transform((texts) => texts.flatMap(read).filter((text) => text !== ""))
    .refine((texts) => texts.length > 0, needed)
    .refine((texts) => texts.length <= mostItems, tooMany)
    .refine((texts) => utf8Bytes(texts) <= bytes, tooLarge);

/** Drops empty items. */
export const captionSetSchema = z.object({
  name: name(CAPTIONS_NEEDED),
  captions: items(CAPTIONS_NEEDED, {
    items: JOB_LIMITS.captions,
    tooMany: "A caption set can have at most 10,000 captions",
    characters: JOB_LIMITS.captionCharacters,
    tooLong: (number) => `Caption ${number} is longer than 2,000 characters`,
    bytes: JOB_LIMITS.captionBytes,
    tooLarge: "A caption set can have at most 1 MB of text",
    read: (text) => [text.trim()],
  }),
});

/** Drops empty items. */
export const audioSetSchema = z.object({
  name: name(LINKS_NEEDED),
  audio_links: items(LINKS_NEEDED, {
    items: JOB_LIMITS.tracks,
    tooMany: "An audio set can have at most 1,000 audio links",
    characters: JOB_LIMITS.linkCharacters,
    tooLong: (number) => `Audio link ${number} is longer than 2,000 characters`,
    bytes: JOB_LIMITS.linkBytes,
    tooLarge: "An audio set can have at most 2 MB of links",
    read: linksIn,
  }),
});
