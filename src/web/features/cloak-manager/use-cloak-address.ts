import { useNavigate, useSearch } from "@tanstack/react-router";
import { paths } from "../../app/routing/paths.ts";

type CloakTab = "domains" | "routes";

/** `domainId` and `search` filter the Routes tab. */
export type CloakAddress = { tab: CloakTab; domainId: string | null; search: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Replaces the history entry when the search changes. */
export function useCloakAddress(): [CloakAddress, (changes: Partial<CloakAddress>) => void] {
  const given: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const address: CloakAddress = {
    tab: given.tab === "routes" ? "routes" : "domains",
    domainId: typeof given.domain === "string" && UUID.test(given.domain) ? given.domain : null,
    // The router parses numeric text as a number.
    search: typeof given.q === "string" || typeof given.q === "number" ? String(given.q) : "",
  };

  function changeAddress(changes: Partial<CloakAddress>) {
    const next = { ...address, ...changes };
    void navigate({
      to: paths.cloakManager,
      search: {
        ...(next.tab === "routes" && { tab: next.tab }),
        ...(next.domainId && { domain: next.domainId }),
        ...(next.search && { q: next.search }),
      },
      replace: Object.keys(changes).join() === "search",
    });
  }
  return [address, changeAddress];
}
