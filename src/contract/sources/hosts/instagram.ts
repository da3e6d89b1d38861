import { isPlainHttps, type LinkHost } from "../link-host.ts";

const DOMAINS = ["instagram.com", "www.instagram.com"];
const PATH = /^\/((?:p|reel|reels\/audio|reels)\/[A-Za-z0-9_-]+)\/?$/;

/** Sound of posts and reels, read with yt-dlp (`integrations/yt-dlp/instagram.ts`). */
export const instagramLinks: LinkHost = {
  name: "instagram",
  label: "Instagram",
  uses: ["music"],
  isOptional: false,
  domains: DOMAINS,
  parse(url) {
    const id = isPlainHttps(url) && DOMAINS.includes(url.hostname) ? PATH.exec(url.pathname)?.[1] : undefined;
    return id === undefined ? null : { id, accessKey: null };
  },
  nameOf: ({ id }) => `Instagram ${id}`,
  addressOf: ({ id }) => `https://www.instagram.com/${id}/`,
};
