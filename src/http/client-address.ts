import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type IsKnownProxy = (address: Address) => boolean;

/** Always accepts loopback addresses. */
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

/** Converts IPv4-mapped IPv6 to IPv4. */
export function parseAddress(text: string | undefined): Address | null {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** Follows X-Forwarded-For from the nearest proxy while proxies are known. */
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

/** Uses an IPv6 address's /64 network, because one household has 2^64 addresses. */
export function rateLimitKey(address: Address | null): string {
  if (!address) return "unknown";
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
