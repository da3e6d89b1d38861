import { isPlainHttps, type LinkHost } from "../link-host.ts";

/** The only difference from Google's links. */
const LIBRARY_DOMAIN = "clipmill.local";
const FILE_PATH = /^\/file\/d\/([A-Za-z0-9_-]+)(?:\/|$)/;

export const libraryLinks: LinkHost = {
  name: "library",
  label: "the Clipmill library",
  uses: ["video", "music", "subtitles"],
  isOptional: false,
  domains: [LIBRARY_DOMAIN],
  parse(url) {
    const id = isPlainHttps(url) && url.hostname === LIBRARY_DOMAIN ? FILE_PATH.exec(url.pathname)?.[1] : undefined;
    return id === undefined ? null : { id, accessKey: null };
  },
  nameOf: () => "Library file",
  addressOf: () => null,
};

export function libraryLink(id: string): string {
  return `https://${LIBRARY_DOMAIN}/file/d/${id}`;
}
