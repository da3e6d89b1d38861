/** Finds links in typed and pasted text, the same for videos, tracks, tables, the API and the command line. */
import { LINK_HOSTS } from "./link-hosts.ts";
import { isMediaName } from "./media-names.ts";

const DOMAINS = LINK_HOSTS.flatMap(({ domains }) => domains);

// Chat programs add marks like these around links. Joiners can be part of a name: emoji need them.
const MARKS = String.raw`\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF`;
const BLANK = String.raw`[\s\p{Cc}\u200C\u200D${MARKS}]`;
const ALL_MARKS = new RegExp(`[${MARKS}]`, "gu");
/** The lookbehind keeps the time linear. */
const EDGES = new RegExp(`^${BLANK}+|(?<!${BLANK})${BLANK}+$`, "gu");

const CLOSERS = new Map(
  ["<>", "()", "[]", "{}", '""', "''", "``", "“”", "„“", "‘’", "«»", "「」", "（）", "【】"].map(toPair),
);

/** Schemes and known domains start a link after a blank, quote, bracket or separator; https:// starts one anywhere. */
const START = new RegExp(
  String.raw`(?<=^|${BLANK}|[<>()[\]{}"'\x60“”„‘’«»「」（）【】|;,*、，；：])` +
    String.raw`(?:[a-z][a-z0-9+.-]{0,15}:\/\/|(?:${DOMAINS.map((domain) => domain.replaceAll(".", String.raw`\.`)).join("|")})\/)|https?:\/\/`,
  "giu",
);
const END = /[\s\p{Cc}<>"“”«»]/u;
/** Links of known hosts have separators only in file names. `&amp;` comes from HTML. */
const END_AT_KNOWN_HOST = /[\s\p{Cc}<>"“”«»|,、，；]|(?<!&amp);/u;
const LINE_END = /[\t\r\n]/;
/** Introduces the next link: "2.", "Intro -", "Intro:". */
const LABEL = /^[#([]?\d{1,5}[.):\]]?$|[:=→–—-]$/;
/** Matches most links, which need no cleaning. */
const PLAIN = /^https:\/\/[\w./?=&%+~-]*[\w/=&-]$/;

/**
 * Returns the links without what surrounds them, such as list numbers, quotes, a name before the link, and invisible
 * characters. Text after a link that is not part of it stays, so that the link is rejected instead of being read in part. Text
 * without a link is one item; empty text is none.
 */
export function linksIn(text: string): string[] {
  if (PLAIN.test(text)) return [text];
  const starts = startsIn(text);
  if (starts.length === 0) return [trim(text)].filter((item) => item !== "");
  return starts.map((start, index) => {
    const next = starts[index + 1];
    const { link, rest } = cut(text.slice(start, next), text[start - 1] ?? "");
    const tail = next === undefined ? rest : withoutLabel(rest);
    return completeLink(hasWords(tail) ? `${link} ${tail}` : link);
  });
}

export function hasLink(text: string): boolean {
  return startsIn(text).length > 0;
}

/** Returns the text after a link that is not part of it, or null. */
export function textAfterLink(text: string): string | null {
  const { rest } = cut(text.trim(), "");
  return hasWords(rest) ? rest : null;
}

/** Browsers display addresses as "drive.google.com/…". */
export function completeLink(text: string): string {
  const link = text.trimStart();
  const hasDomain = DOMAINS.some((domain) => link.slice(0, domain.length + 1).toLowerCase() === `${domain}/`);
  return hasDomain ? `${text.slice(0, text.length - link.length)}https://${link}` : text;
}

function startsIn(text: string): number[] {
  const starts: number[] = [];
  let isOfKnownHost = false;
  for (const { 0: found, index } of text.matchAll(START)) {
    // "Introhttps://" is a name and a link.
    const start = index + Math.max(0, found.search(/https?:\/\/$/i));
    const previous = starts.at(-1);
    const isRepeated = previous !== undefined && /^https?:\/\/$/i.test(text.slice(previous, start).slice(0, 9));
    if (isRepeated) starts.pop();
    else if (previous !== undefined && isInside(text[start - 1]!, isOfKnownHost)) continue;
    starts.push(start);
    isOfKnownHost = hasKnownDomain(text.slice(start, start + MAX_HOST_CHARACTERS));
  }
  return starts;
}

/** Domain names have at most 253 characters (RFC 1035). */
const MAX_HOST_CHARACTERS = 300;

/** True for an address within an address, such as `?url=https://`. Known hosts have them only as values. */
function isInside(before: string, isOfKnownHost: boolean): boolean {
  return isOfKnownHost ? before === "=" : /[=/?&#%]/.test(before);
}

function hasKnownDomain(link: string): boolean {
  const domain = completeLink(link).match(/^https?:\/\/([^/?#\s]+)/i)?.[1];
  return domain !== undefined && DOMAINS.includes(domain.toLowerCase());
}

/** `before` is the character before the link. */
function cut(text: string, before: string): { link: string; rest: string } {
  const quoteEnd = endOfQuote(text, before);
  if (quoteEnd !== -1) return { link: clean(text.slice(0, quoteEnd)), rest: trim(text.slice(quoteEnd + 1)) };
  // Keys in S3 can have spaces and quotes.
  const end = text.search(isS3(text) ? LINE_END : hasKnownDomain(text) ? END_AT_KNOWN_HOST : END);
  if (end === -1 || isInFileName(text, end)) return { link: withoutEnding(clean(text)), rest: "" };
  return { link: withoutEnding(clean(text.slice(0, end))), rest: trim(text.slice(end)).replace(/^[;|,、，；]+/, "") };
}

function endOfQuote(text: string, opener: string): number {
  const closer = CLOSERS.get(opener);
  if (closer === undefined) return -1;
  let depth = 1;
  for (let place = 0; place < text.length; place += 1) {
    if (text[place] === closer) depth -= 1;
    else if (text[place] === opener) depth += 1;
    if (depth === 0) return place;
  }
  return -1;
}

/** Addresses are often made from file names: `https://files.example/My clip.mp4`. */
function isInFileName(text: string, end: number): boolean {
  if (!(hasKnownDomain(text) ? /[,;]/ : / /).test(text[end]!) || LINE_END.test(text)) return false;
  const [first, whole] = [URL.parse(text.slice(0, end)), URL.parse(text)];
  return first !== null && whole !== null && !isMediaName(first.pathname) && isMediaName(whole.pathname);
}

function isS3(text: string): boolean {
  return /^s3:/i.test(text);
}

function clean(link: string): string {
  return trim(isS3(link) ? link : link.replace(ALL_MARKS, ""));
}

/** Removes punctuation after a link, and brackets that it does not open. */
function withoutEnding(link: string): string {
  const ending = /[.,;:!*'’`|)\]}、，；。）】」]+$/u.exec(link.slice(-MAX_ENDING_CHARACTERS))?.[0] ?? "";
  if (isS3(link)) return link.replace(/[;|]+$/, "");
  let end = link.length;
  for (const character of ending.split("").toReversed()) {
    const opener = { ")": "(", "]": "[", "}": "{" }[character];
    if (opener !== undefined && isBalanced(link.slice(0, end), opener, character)) break;
    end -= 1;
  }
  return link.slice(0, end);
}

const MAX_ENDING_CHARACTERS = 20;

function isBalanced(text: string, opener: string, closer: string): boolean {
  return text.split(opener).length >= text.split(closer).length;
}

function withoutLabel(text: string): string {
  const label = text.replace(/[<([{"'`“„‘«「（【\s]+$/u, "");
  return LABEL.test(label) ? "" : text;
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function trim(text: string): string {
  return text.replace(EDGES, "");
}

function toPair([opener, closer]: string): [string, string] {
  return [opener!, closer!];
}
