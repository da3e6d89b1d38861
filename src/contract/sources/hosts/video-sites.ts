/**
 * Sites without download links, read with yt-dlp (`integrations/yt-dlp`). Add a site here and in `site-video.ts`.
 * Addresses are those of yt-dlp 2026.08.19 (`yt_dlp/extractor`).
 */
import { isPlainHttps, type LinkHost, type SourceLink } from "../link-host.ts";

type Site = {
  label: string;
  domains: readonly string[];
  /** Matches host name, path and query of a video's link; the group is its id. */
  video: RegExp;
  addressOf: (id: string) => string;
};

const SITES: Readonly<Record<string, Site>> = {
  youtube: {
    label: "YouTube",
    domains: ["www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be"],
    video: /^(?:youtu\.be\/|[\w.]+\.com\/(?:watch\?(?:.*&)?v=|shorts\/|live\/))([\w-]{11})(?:[?&/]|$)/,
    addressOf: (id) => `https://www.youtube.com/watch?v=${id}`,
  },
  tiktok: {
    label: "TikTok",
    domains: ["www.tiktok.com", "tiktok.com", "m.tiktok.com", "vm.tiktok.com", "vt.tiktok.com"],
    // A short link's code has 9 characters, a video's number 19.
    video: /^(?:v[mt]\.tiktok\.com\/|[\w.]+\/t\/|[\w.]+\/@[\w.-]*\/video\/)(\d{15,20}|\w{6,14})(?:[?/]|$)/,
    addressOf: (id) => (id.length > 14 ? `https://www.tiktok.com/@_/video/${id}` : `https://vm.tiktok.com/${id}`),
  },
  vimeo: {
    label: "Vimeo",
    domains: ["vimeo.com", "www.vimeo.com"],
    // Includes an unlisted video's hash.
    video: /^[\w.]+\/(\d{5,12}(?:\/[\da-f]{10})?)(?:[?/]|$)/,
    addressOf: (id) => `https://vimeo.com/${id}`,
  },
};

/** `id` is `<site>/<id>`. */
export const videoSiteLinks: LinkHost = {
  name: "video-sites",
  label: "yt-dlp (YouTube, TikTok, Vimeo)",
  uses: ["video"],
  isOptional: true,
  settingsText:
    "Videos downloaded with yt-dlp. Use this only for videos you have the rights to. Requires yt-dlp on the server and all workers.",
  domains: Object.values(SITES).flatMap(({ domains }) => domains),
  parse(url) {
    const found = isPlainHttps(url) ? findSite(url.hostname) : undefined;
    const id = found?.[1].video.exec(`${url.hostname}${url.pathname}${url.search}`)?.[1];
    return id === undefined ? null : { id: `${found![0]}/${id}`, accessKey: null };
  },
  explain(url) {
    const site = findSite(url.hostname)?.[1];
    return site ? `this is not a link to one ${site.label} video` : null;
  },
  partOf: ({ id }) => splitId(id)[0],
  labelOfPart: (part) => SITES[part]?.label ?? part,
  nameOf: ({ id }) => `${SITES[splitId(id)[0]]?.label ?? ""} ${splitId(id)[1]}`,
  addressOf: (link) => siteVideoOf(link).address,
};

/** `site` is its name in this file. */
export type SiteVideo = { site: string; label: string; address: string };

/** The address contains only the id: no option or other host can hide in it. */
export function siteVideoOf({ id }: Pick<SourceLink, "id">): SiteVideo {
  const [site, own] = splitId(id);
  const { label, addressOf } = SITES[site]!;
  return { site, label, address: addressOf(own) };
}

function findSite(hostname: string): [string, Site] | undefined {
  return Object.entries(SITES).find(([, { domains }]) => domains.includes(hostname));
}

function splitId(id: string): [string, string] {
  const end = id.indexOf("/");
  return [id.slice(0, end), id.slice(end + 1)];
}
