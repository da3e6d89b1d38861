import { CLOAK_LIMITS, cleanSlug, FALLBACK_URL_RULE, isWebAddress, PRIMARY_URL_RULE } from "#contract/cloak/cloak.ts";
import type { ListedDomain, ListedRoute, RouteDraft } from "../../../api/functions/cloak.ts";

/** A route as it is typed. */
export type RouteForm = {
  domainId: string | null;
  slug: string;
  primaryUrl: string;
  fallbackUrl: string;
  active: boolean;
};

/** What the form starts with. Only an active domain can stand in it. */
export function toRouteForm(
  route: ListedRoute | null,
  domains: readonly ListedDomain[],
  preferredDomainId: string | null,
): RouteForm {
  const wanted = route ? route.domain_id : preferredDomainId;
  const isActive = domains.some(({ id, status }) => id === wanted && status === "active");
  return {
    domainId: isActive ? wanted : null,
    slug: route?.slug ?? "",
    primaryUrl: route?.primary_url ?? "",
    fallbackUrl: route?.fallback_url ?? "",
    active: route?.active ?? true,
  };
}

/** The route to save. Null unless domain, slug and primary URL are set. */
export function toRouteDraft({ domainId, slug, primaryUrl, fallbackUrl, active }: RouteForm): RouteDraft | null {
  const draft = {
    slug: cleanSlug(slug),
    primary_url: primaryUrl.trim(),
    fallback_url: fallbackUrl.trim() || null,
    active,
  };
  return domainId === null || draft.slug === "" || draft.primary_url === "" ? null : { domain_id: domainId, ...draft };
}

/** For react-hook-form: true, or what is wrong. */
export const routeRules = {
  slug: (text: string) =>
    cleanSlug(text).length <= CLOAK_LIMITS.slugCharacters || "Slugs can have at most 500 characters.",
  primaryUrl: (text: string) => checkUrl(text, PRIMARY_URL_RULE),
  fallbackUrl: (text: string) => text.trim() === "" || checkUrl(text, FALLBACK_URL_RULE),
};

function checkUrl(text: string, rule: string): true | string {
  const url = text.trim();
  if (!isWebAddress(url)) return rule;
  return url.length <= CLOAK_LIMITS.urlCharacters || "URLs can have at most 2,000 characters.";
}
