/** Parses links (SPEC section 5) without network access. */
import type { MediaUse } from "../library.ts";
import type { AcceptedSources } from "./accepted-sources.ts";
import { isPlainHttps, type LinkHost, type SourceLink } from "./link-host.ts";
import { LINK_HOSTS, linkHostOf } from "./link-hosts.ts";

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

function parseFor(use: MediaUse, text: string, accepted: AcceptedSources): SourceLink | null {
  const link = parseLink(text);
  return link && linkHostOf(link.host).uses.includes(use) && isAccepted(link, accepted) ? link : null;
}

function isAccepted(link: SourceLink, { hosts, privateSources }: AcceptedSources): boolean {
  const host = linkHostOf(link.host);
  const isOn = !host.isOptional || hosts.includes(host.name);
  return host.accepts ? host.accepts(link, { isOn, privateSources }) : isOn;
}

/** Returns null without a scheme or for an invalid address. */
function readAddress(text: string): URL | null {
  const trimmed = text.trim();
  return /^[a-z][a-z0-9]*:\/\//i.test(trimmed) ? URL.parse(trimmed) : null;
}

/** Continues "Line 3: " with why a known host's link is rejected; null for other addresses. */
export function explainLink(text: string): string | null {
  const url = readAddress(text);
  if (!url) return null;
  const link = parseLink(text);
  if (link && linkHostOf(link.host).isOptional) return describeOff(linkHostOf(link.host));
  for (const host of LINK_HOSTS) {
    const reason = host.explain?.(url, text.trim());
    if (reason) return reason;
  }
  return null;
}

/** The only reason to reject a link that its host recognizes. */
function describeOff({ name, label }: LinkHost): string | null {
  // Any address is a link of this host, so it explains nothing.
  return name !== "web" ? `${label} is turned off; turn it on in Settings` : null;
}

const DOMAINS = LINK_HOSTS.flatMap(({ domains }) => domains);

/** Browsers display addresses as "drive.google.com/…". */
export function completeLink(text: string): string {
  const link = text.trimStart();
  const hasDomain = DOMAINS.some((domain) => link.slice(0, domain.length + 1).toLowerCase() === `${domain}/`);
  return hasDomain ? `${text.slice(0, text.length - link.length)}https://${link}` : text;
}

export function isDocumentLink(text: string): boolean {
  const url = readAddress(text);
  return url !== null && isPlainHttps(url) && LINK_HOSTS.some((host) => host.isDocument?.(url));
}

/** The same for all spellings of a link. */
export function linkKey({ host, id }: SourceLink): string {
  return `${host}/${id}`;
}

/** Splits at newlines and commas; trims and drops empty items. */
export function splitLinks(text: string): string[] {
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
