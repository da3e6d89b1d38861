/** Parses links (SPEC section 5) without network access. */
import type { AcceptedSources } from "./accepted-sources.ts";
import { isPlainHttps, type LinkHost, type LinkUse, type SourceLink } from "./link-host.ts";
import { LINK_HOSTS, linkHostOf } from "./link-hosts.ts";
import { hasLink, linksIn, textAfterLink } from "./links-in-text.ts";

/** Includes hosts that are off. Returns null for an invalid link. */
export function parseLink(text: string): SourceLink | null {
  return find(text, (host, url, written) => host.parse(url, written));
}

/** Returns null unless the text is a folder, to be replaced by its files' links. */
export function parseFolderLink(text: string, accepted: AcceptedSources): SourceLink | null {
  const link = find(text, (host, url, written) => host.parseFolder?.(url, written) ?? null);
  return link && isAccepted(link, accepted) ? link : null;
}

function find(
  text: string,
  parse: (host: LinkHost, url: URL, written: string) => ReturnType<LinkHost["parse"]>,
): SourceLink | null {
  const url = readAddress(text);
  if (!url) return null;
  for (const host of LINK_HOSTS) {
    const found = parse(host, url, text.trim());
    if (found) return { host: host.name, ...found };
    if (host.domains.includes(url.hostname)) return null;
  }
  return null;
}

/** Returns null unless a job can use the link as a video. */
export function parseVideoLink(text: string, accepted: AcceptedSources): SourceLink | null {
  return parseFor("video", text, accepted);
}

/** Returns null unless a job can use the link as music. */
export function parseAudioLink(text: string, accepted: AcceptedSources): SourceLink | null {
  return parseFor("music", text, accepted);
}

/** Returns null unless a job can use the link as a subtitle file. */
export function parseSubtitlesLink(text: string, accepted: AcceptedSources): SourceLink | null {
  return parseFor("subtitles", text, accepted);
}

function parseFor(use: LinkUse, text: string, accepted: AcceptedSources): SourceLink | null {
  const link = parseLink(text);
  return link && linkHostOf(link.host).uses.includes(use) && isAccepted(link, accepted) ? link : null;
}

function isAccepted(link: SourceLink, { hosts, privateSources }: AcceptedSources): boolean {
  const host = linkHostOf(link.host);
  const isOn = !host.isOptional || hosts.includes(host.name);
  return host.accepts ? host.accepts(link, { isOn, privateSources }) : isOn;
}

/** Returns null without a scheme, for an invalid address, and for an address with other text after it. */
function readAddress(text: string): URL | null {
  const trimmed = text.trim();
  if (!/^[a-z][a-z0-9]*:\/\//i.test(trimmed) || textAfterLink(trimmed) !== null) return null;
  return URL.parse(trimmed);
}

/** Continues "Line 3: " with why a known host's link is rejected; null for other addresses. */
export function explainLink(text: string): string | null {
  const url = readAddress(text);
  if (!url) return explainTextAfter(text);
  const link = parseLink(text);
  const off = link && linkHostOf(link.host).isOptional ? describeOff(linkHostOf(link.host)) : null;
  if (off !== null) return off;
  for (const host of LINK_HOSTS) {
    const reason = host.explain?.(url, text.trim());
    if (reason) return reason;
  }
  return null;
}

function explainTextAfter(text: string): string | null {
  const rest = hasLink(text) ? textAfterLink(text) : null;
  if (rest === null) return null;
  const shown = rest.length > MAX_QUOTED_CHARACTERS ? `${rest.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()}…` : rest;
  return `the text after the link is not part of it: "${shown}"`;
}

const MAX_QUOTED_CHARACTERS = 60;

/** The only reason to reject a link that its host recognizes. */
function describeOff({ name, label }: LinkHost): string | null {
  // Any address is a link of this host, so it explains nothing.
  return name !== "web" ? `${label} is turned off; turn it on in Settings` : null;
}

export function isDocumentLink(text: string): boolean {
  const url = readAddress(text);
  return url !== null && isPlainHttps(url) && LINK_HOSTS.some((host) => host.isDocument?.(url));
}

/** The same for all spellings of a link. */
export function linkKey({ host, id }: SourceLink): string {
  return `${host}/${id}`;
}

/** Splits at newlines and commas, then as `linksIn`. */
export function splitLinks(text: string): string[] {
  return splitCaptionsAtCommas(text).flatMap(linksIn);
}

/** Splits captions at newlines and commas; trims and drops empty items. */
export function splitCaptionsAtCommas(text: string): string[] {
  return splitAt(text, /[\n,]/);
}

/** Splits at newlines only; trims and drops empty items. */
export function splitCaptions(text: string): string[] {
  return splitAt(text, /\n/);
}

function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
