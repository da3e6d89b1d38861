import { pathKey } from "#contract/cloak/published-config.ts";

/** Where an address would be among the published ones, as `domain/path`, or null: another port is another server. */
export function placeOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url || url.port !== "") return null;
  return `${url.hostname.replace(/\.$/, "")}/${pathKey(url.pathname)}`;
}
