import { CLOAK_LIMITS, cleanSlug, FALLBACK_URL_RULE, isWebAddress, PRIMARY_URL_RULE } from "#contract/cloak/cloak.ts";
import type { ListedDomain, ListedRoute, RouteDraft } from "../../../api/functions/cloak.ts";

export type RouteForm = {
  domainId: string | null;
  slug: string;
  primaryUrl: string;
  fallbackUrl: string;
  active: boolean;
};

/** Preselects only active domains. */
export function toRouteForm(
  route: ListedRoute | null,
  domains: readonly ListedDomain[],
  preferredDomainId: string | null,
): RouteForm {
  const domainId = route ? route.domain_id : preferredDomainId;
  const isActive = domains.some(({ id, status }) => id === domainId && status === "active");
  return {
    domainId: isActive ? domainId : null,
    slug: route?.slug ?? "",
    primaryUrl: route?.primary_url ?? "",
    fallbackUrl: route?.fallback_url ?? "",
    active: route?.active ?? true,
  };
}

/** Returns null unless domain, slug and primary URL are set. */
export function toRouteDraft({ domainId, slug, primaryUrl, fallbackUrl, active }: RouteForm): RouteDraft | null {
  const draft = {
    slug: cleanSlug(slug),
    primary_url: primaryUrl.trim(),
    fallback_url: fallbackUrl.trim() || null,
    active,
  };
  return domainId === null || draft.slug === "" || draft.primary_url === "" ? null : { domain_id: domainId, ...draft };
}

/** For react-hook-form: true, or the error. */
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
