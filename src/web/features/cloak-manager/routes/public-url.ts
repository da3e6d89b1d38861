import { cleanSlug } from "#contract/cloak/cloak.ts";

/** The slug of the domain itself. */
const ROOT_SLUG = "__root__";

/** Always https. */
export function publicUrl(domain: string, slug: string): string {
  const path = cleanSlug(slug);
  return `https://${domain}/${path === ROOT_SLUG ? "" : path}`;
}
