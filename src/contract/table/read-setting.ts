import { readColor } from "../colors.ts";
import type { SettingName } from "../job-settings/job-settings.ts";
import type { Setting } from "../job-settings/setting-kinds.ts";
import { choiceLabel, choicesOf, roundSetting, settingOf } from "../job-settings/setting-values.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { canonicalTag, canonicalTags, LANGUAGE_RULE, splitTags } from "../jobs/outputs/languages.ts";
import type { AcceptedSources } from "../sources/accepted-sources.ts";
import { explainAudioLink, explainSubtitlesLink, explainVideoLink } from "../sources/explain-media-link.ts";
import { linksIn } from "../sources/links-in-text.ts";
import {
  parseAudioLink,
  parseFolderLink,
  parseLink,
  parseSubtitlesLink,
  parseVideoLink,
  splitCaptions,
} from "../sources/links.ts";

/** `text` is trimmed and not empty. Without `accepted`, a video's link may be any text. */
export function readSetting(name: SettingName, text: string, accepted: AcceptedSources | null): ReadCell {
  const row = settingOf(name);
  if (row.default === null && row.kind !== "text" && row.kind !== "link" && isOff(row, text)) return { value: null };
  switch (row.kind) {
    case "flag":
      return readFlag(text);
    case "choice":
      return readChoice(row, text);
    case "number":
    case "optionalNumber":
      return /_(?:seconds|duration)$/.test(name) ? readTime(row, text) : readNumeric(row, text);
    case "gain":
    case "share":
      return readLimited(readShare(text), { least: row.kind === "share" ? (row.least ?? 0) : 0, most: 1 }, SHARES);
    case "color":
      return readColorCell(text, row.isTranslucent === true);
    case "id":
      return UUID.test(text) ? { value: text } : { message: "Enter the ID of a saved set." };
    case "list":
      return readList(row, text);
    case "link":
      if (row.of === "image") return readImageLink(text);
      if (row.of === "subtitles") return readSubtitlesLink(text, accepted);
      return accepted ? readVideoLink(text, accepted) : readLimitedText(text, row.maxCharacters);
    case "text":
      return readLimitedText(text, row.maxCharacters);
    case "shape":
      return row.shape === "formats" ? readFormats(text) : { message: "Use the API or a manifest for this." };
    case "requiredText":
    case "requiredList":
    case "ids":
      return { message: "Set this for the whole job instead." };
  }
}

function readFormats(text: string): ReadCell {
  const formats = text.split(/[\s,]+/).filter((format) => format !== "");
  const known = choicesOf("format");
  const unknown = formats.find((format) => !(known as readonly string[]).includes(format));
  return unknown === undefined ? { value: formats } : { message: `Use some of: ${known.join(", ")}.` };
}

type Kind<Name extends Setting["kind"]> = Extract<Setting, { kind: Name }>;

/** RFC 9562, section 4. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const FLAGS = new Map([
  ...["yes", "true", "on", "1"].map((word) => [word, true] as const),
  ...["no", "false", "off", "0"].map((word) => [word, false] as const),
]);

function readFlag(text: string): ReadCell {
  const value = FLAGS.get(text.toLowerCase());
  return value === undefined ? { message: "Enter yes or no." } : { value };
}

function isOff(row: Setting, text: string): boolean {
  const off = row.kind === "choice" ? row.offLabel : undefined;
  return ["off", "none", off?.toLowerCase()].includes(text.toLowerCase());
}

function readChoice(row: Kind<"choice">, text: string): ReadCell {
  const values = Object.keys(row.choices);
  const key = choiceKey(text);
  const value = values.find((candidate) =>
    [candidate, choiceLabel(row, candidate)].some((name) => choiceKey(name) === key),
  );
  if (value !== undefined) return { value: row.isNumeric ? Number(value) : value };
  const labels = values.map((candidate) => choiceLabel(row, candidate));
  const all = row.default === null ? [...labels, row.offLabel ?? "Off"] : labels;
  return { message: `Enter one of these: ${all.join(", ")}.` };
}

/** Spreadsheets turn 9:16 into the time 09:16:00. */
function choiceKey(text: string): string {
  const time = /^\s*0?(\d+):0?(\d+)(?::00)?\s*(?:am|pm)?\s*$/i.exec(text);
  return time ? `${time[1]}:${time[2]}` : text.toLowerCase().replaceAll(/[\s_-]+/g, " ");
}

type Limits = { least: number; most: number };

const SHARES = "Enter a fraction or percentage such as 0.5 or 50%";

function readNumeric(row: Kind<"number"> | Kind<"optionalNumber">, text: string): ReadCell {
  const { unit } = row as Setting;
  // Few keyboards have it.
  if (unit === "×") text = text.replace(/x$/i, unit);
  const isShare = row.least >= 0 && row.most === 1;
  if (isShare) return readLimited(readShare(text), row, SHARES);
  const bare = unit && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length) : text;
  const isWhole = row.kind === "number" && row.isWhole;
  const value = readNumber(bare);
  const read = readLimited(
    isWhole && !Number.isInteger(value) ? null : value,
    row,
    isWhole ? "Enter a whole number" : "Enter a number",
  );
  return row.kind === "number" && "value" in read ? { value: roundSetting(row, Number(read.value)) } : read;
}

function readTime(row: Limits, text: string): ReadCell {
  return readLimited(readSeconds(text), row, "Enter a time such as 7.5 or 0:07, in seconds");
}

function readLimited(value: number | null, { least, most }: Limits, remedy: string): ReadCell {
  if (value !== null && value >= least && value <= most) return { value };
  return { message: `${remedy}, from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}.` };
}

function readColorCell(text: string, isTranslucent: boolean): ReadCell {
  const color = readColor(text);
  if (color && (isTranslucent || color.length === 7)) return { value: color };
  return { message: `Enter a color such as #ffcc00${isTranslucent ? ", or #ffcc0080 with an opacity" : ""}.` };
}

function readList(row: Kind<"list">, text: string): ReadCell {
  if (row.of === "language") return readLanguages(row, text);
  const items = splitCaptions(text);
  if (items.length > row.most) return { message: `Keep at most ${row.most.toLocaleString("en")} lines in this cell.` };
  const tooLong = items.findIndex((item) => item.length > row.maxCharacters);
  if (tooLong === -1) return { value: items };
  return { message: `Shorten line ${tooLong + 1} to ${row.maxCharacters.toLocaleString("en")} characters.` };
}

function readLanguages({ most }: Kind<"list">, text: string): ReadCell {
  const tags = splitTags(text);
  if (tags.some((tag) => canonicalTag(tag) === null)) return { message: `${LANGUAGE_RULE}.` };
  const languages = canonicalTags(tags);
  return languages.length > most ? { message: `Keep at most ${most} languages in this cell.` } : { value: languages };
}

/** `most` is in UTF-16 units. */
export function readLimitedText(text: string, most: number): ReadCell {
  if (text.length <= most) return { value: text };
  return { message: `Shorten this text to ${most.toLocaleString("en")} characters.` };
}

/** `1.5`, `1,5`, `-14`. A comma before three digits may mean thousands, unless the number starts with 0. */
const NUMBER = /^-?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2},\d{3}$/;
/** `1:02.5` or `1:02:03`. */
const TIME = /^(?:(\d+):)?(\d+):(\d{1,2}(?:[.,]\d+)?)$/;

/** Accepts a decimal point or comma; returns null for other and ambiguous texts. */
function readNumber(text: string): number | null {
  const written = text.trim().replace("\u2212", "-");
  if (!NUMBER.test(written) || MAYBE_THOUSANDS.test(written)) return null;
  return Number(written.replace(",", "."));
}

/** Reads `0.7`, `0,7` or `70%`; returns null for other texts. */
function readShare(text: string): number | null {
  const percent = /^(.*\S)\s*%$/.exec(text.trim())?.[1];
  const number = readNumber(percent ?? text);
  return number === null || percent === undefined ? number : number / 100;
}

/** Reads `7`, `7.5 s`, `0:07`, `1:02.5` or `1:02:03`; returns null for other texts. */
function readSeconds(text: string): number | null {
  const time = TIME.exec(text.trim());
  if (!time) return readNumber(text.replace(/\s*(?:s|sec|seconds)\s*$/i, ""));
  const [hours, minutes, seconds] = [time[1] ?? "0", time[2]!, time[3]!.replace(",", ".")].map(Number) as [
    number,
    number,
    number,
  ];
  const isTime = seconds < 60 && (time[1] === undefined || minutes < 60);
  // Rounded to milliseconds: 60 + 2.3 is slightly below 62.3.
  return isTime ? Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000) / 1_000 : null;
}

/** `message` explains, with the remedy, why the cell has no value. */
export type ReadCell = { value: unknown } | { message: string };

/** `text` is not empty. */
export function readVideoLink(text: string, accepted: AcceptedSources): ReadCell {
  const [link = "", ...others] = linksIn(text);
  if (others.length > 0) {
    return { message: `This cell has ${others.length + 1} links. Use one row for each video.` };
  }
  if (link.length <= JOB_LIMITS.linkCharacters && parseVideoLink(link, accepted)) return { value: link };
  if (parseFolderLink(link, accepted)) {
    return { message: "This link is a folder, not a video. Replace it with a row for each of its videos." };
  }
  return { message: `Replace this link: ${explainVideoLink(link)}.` };
}

function readImageLink(text: string): ReadCell {
  return isLibraryLink(text) ? { value: text } : { message: "Enter the link of an image in the library." };
}

function readSubtitlesLink(text: string, accepted: AcceptedSources | null): ReadCell {
  if (text.length <= JOB_LIMITS.linkCharacters && (!accepted || parseSubtitlesLink(text, accepted)))
    return { value: text };
  return { message: `Replace this link: ${explainSubtitlesLink(text)}.` };
}

export function readAudioLink(link: string, accepted: AcceptedSources): ReadCell {
  if (link.length <= JOB_LIMITS.linkCharacters && parseAudioLink(link, accepted)) return { value: link };
  return { message: `Replace this link: ${explainAudioLink(link)}.` };
}

export function isLibraryLink(text: string): boolean {
  return parseLink(text)?.host === "library";
}
