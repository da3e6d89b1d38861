import { pathKey } from "#contract/cloak/published-config.ts";

/** Returns `domain/path`, the key of routes; null for an invalid address, or one with a port: another server. */
export function placeOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url || url.port !== "") return null;
  return `${url.hostname.replace(/\.$/, "")}/${pathKey(url.pathname)}`;
}
