/** Finds the client of a connection: the peer, or the client that a known proxy forwards for. */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns true for the address of a proxy whose X-Forwarded-For header is trusted. */
export type IsKnownProxy = (address: Address) => boolean;

/** Returns the check for known proxies: those on this machine, and those at the given addresses and networks. */
export function createProxyCheck(networks: readonly string[]): IsKnownProxy {
  const ranges = networks.map((name) => {
    if (ipaddr.isValidCIDR(name)) return ipaddr.parseCIDR(name);
    const address = ipaddr.process(name);
    return [address, address.kind() === "ipv4" ? 32 : 128] as [Address, number];
  });
  return (address) =>
    address.range() === "loopback" ||
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Reads an address; an IPv4 address in IPv6 form becomes IPv4. Returns null if the text is not an address. */
export function parseAddress(text: string | undefined): Address | null {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/**
 * Follows X-Forwarded-For outward from the nearest proxy as long as the proxies are known, and returns the client's
 * address.
 */
export function readClient(peer: Address, forwardedFor: string | undefined, isKnownProxy: IsKnownProxy): Address {
  const forwarded = forwardedFor?.split(",") ?? [];
  let client = peer;
  while (forwarded.length > 0 && isKnownProxy(client)) {
    const next = parseAddress(forwarded.pop()!.trim());
    if (!next) break;
    client = next;
  }
  return client;
}

/** Returns the key for rate limits: an IPv4 address, or an IPv6 /64 network, since one household has 2^64 addresses. */
export function countedAs(address: Address | null): string {
  if (!address) return "unknown";
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
