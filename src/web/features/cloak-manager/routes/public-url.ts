import { cleanSlug } from "#contract/cloak/cloak.ts";

/** The slug that stands for the domain itself. */
const ROOT_SLUG = "__root__";

/** Where visitors find a route: https, then the domain, then the slug. */
export function publicUrl(domain: string, slug: string): string {
  const path = cleanSlug(slug);
  return `https://${domain}/${path === ROOT_SLUG ? "" : path}`;
}
