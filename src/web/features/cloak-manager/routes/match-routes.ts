import type { ListedRoute } from "../../../api/functions/cloak.ts";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { publicUrl } from "./public-url.ts";

/** Returns routes with every search word in the public URL or a destination. */
export function matchRoutes(routes: readonly ListedRoute[], search: string): readonly ListedRoute[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return routes;
  return routes.filter(({ domains: { name }, slug, primary_url: primary, fallback_url: fallback }) => {
    const text = [publicUrl(name, slug), decodeDomain(name), slug, primary, fallback ?? ""].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
