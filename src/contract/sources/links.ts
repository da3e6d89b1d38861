/** Parses links (SPEC section 5) without network access. */

/** The host of links to samples and uploads, which otherwise look like Google's. */
const LIBRARY_HOST = "clipmill.local";

export const DRIVE_HOSTS: ReadonlySet<string> = new Set(["drive.google.com", "docs.google.com"]);
const DOCUMENT_HOST = "docs.google.com";
const INSTAGRAM_HOSTS = new Set(["instagram.com", "www.instagram.com"]);
const FILE_PATH = /\/d\/([A-Za-z0-9_-]+)(?:\/|$)/;
const FILE_ID = /^[A-Za-z0-9_-]+$/;
const INSTAGRAM_PATH = /^\/(?:p|reel|reels\/audio|reels)\/[A-Za-z0-9_-]+\/?$/;

export type FileLink = { host: "google-drive" | "library"; id: string; resourceKey: string | null };
type InstagramLink = { host: "instagram"; url: string };
export type AudioLink = FileLink | InstagramLink;

function parseHttps(text: string): URL | null {
  const trimmed = text.trim();
  if (!trimmed.toLowerCase().startsWith("https://")) return null;
  const url = URL.parse(trimmed);
  return url && url.username === "" && url.password === "" && url.port === "" ? url : null;
}

/** Returns null for an invalid link. */
export function parseVideoLink(text: string): FileLink | null {
  const url = parseHttps(text);
  if (!url) return null;
  const isLibrary = url.hostname === LIBRARY_HOST;
  if (!isLibrary && !DRIVE_HOSTS.has(url.hostname)) return null;
  const idInQuery = url.pathname === "/open" ? url.searchParams.get("id") : null;
  const id = FILE_PATH.exec(url.pathname)?.[1] ?? (idInQuery && FILE_ID.test(idInQuery) ? idInQuery : null);
  if (!id) return null;
  const resourceKey = url.searchParams.get("resourcekey");
  return {
    host: isLibrary ? "library" : "google-drive",
    id,
    resourceKey: resourceKey && FILE_ID.test(resourceKey) ? resourceKey : null,
  };
}

/** Returns null for an invalid link. Accepts video links and Instagram's post, reel and reels/audio links. */
export function parseAudioLink(text: string): AudioLink | null {
  const file = parseVideoLink(text);
  if (file) return file;
  const url = parseHttps(text);
  if (!url || !INSTAGRAM_HOSTS.has(url.hostname) || !INSTAGRAM_PATH.test(url.pathname)) return null;
  return { host: "instagram", url: `https://${url.hostname}${url.pathname}` };
}

const KNOWN_HOSTS = [...DRIVE_HOSTS, ...INSTAGRAM_HOSTS, LIBRARY_HOST];

/** Adds a missing https://, because browsers display addresses as "drive.google.com/…". */
export function completeLink(text: string): string {
  const link = text.trimStart();
  const hasHost = KNOWN_HOSTS.some((host) => link.slice(0, host.length + 1).toLowerCase() === `${host}/`);
  return hasHost ? `${text.slice(0, text.length - link.length)}https://${link}` : text;
}

/** Returns true for valid links to documents (text, sheet, slides, …) instead of media files. */
export function isDocumentLink(text: string): boolean {
  const url = parseHttps(text);
  return url?.hostname === DOCUMENT_HOST && !url.pathname.startsWith("/file/") && url.pathname !== "/open";
}

/** Returns the same key for all spellings of a link. */
export function linkKey(link: AudioLink): string {
  return link.host === "instagram" ? link.url.replace(/\/$/, "") : `${link.host}/${link.id}`;
}

/**
 * Returns the link that selects a library file as a video or as music. `parseVideoLink` and `parseAudioLink` accept it.
 */
export function libraryLink(id: string): string {
  return `https://${LIBRARY_HOST}/file/d/${id}`;
}

/** Splits at newlines and commas; trims and drops empty items. */
export function splitLinks(text: string): string[] {
  return splitAt(text, /[\n,]/);
}

/** Splits at newlines, not commas; trims and drops empty items. */
export function splitCaptions(text: string): string[] {
  return splitAt(text, /\n/);
}

function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
