/** The names of yt-dlp's extractors by site, for --use-extractors: no other site is contacted. */
export const SITE_EXTRACTORS: Readonly<Record<string, string>> = {
  youtube: "youtube",
  tiktok: "tiktok,vm.tiktok",
  vimeo: "vimeo",
};
