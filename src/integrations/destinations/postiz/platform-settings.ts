/** YouTube's limits on titles (docs.postiz.com/public-api/providers/youtube, read 2026-11-23). */
const TITLE = { least: 2, most: 100 } as const;

/** Required settings of each network, for the plainest public post (docs.postiz.com/public-api/providers). */
const REQUIRED: Readonly<Record<string, Record<string, unknown>>> = {
  x: { who_can_reply_post: "everyone" },
  instagram: { post_type: "post" },
  "instagram-standalone": { post_type: "post" },
  tiktok: {
    privacy_level: "PUBLIC_TO_EVERYONE",
    ...{ duet: false, stitch: false, comment: true, autoAddMusic: "no" },
    ...{ brand_content_toggle: false, brand_organic_toggle: false },
    content_posting_method: "DIRECT_POST",
  },
};

export function platformSettings(
  service: string,
  { text, name }: { text: string; name: string },
): Record<string, unknown> {
  if (service !== "youtube") return { __type: service, ...REQUIRED[service] };
  const [line] = text.trim().split("\n");
  const wanted = line && line.length >= TITLE.least ? line : name;
  const title = Array.from(wanted).slice(0, TITLE.most).join("").padEnd(TITLE.least, ".");
  return { __type: service, title, type: "public", selfDeclaredMadeForKids: "no", tags: [] };
}
